/** The few sounds of the stage, made here and now: guns, dice, the cell that counts. Off unless somebody wants them. */

import { prefs } from '../lib/prefs.svelte'
import type { Beat } from './script'

let context: AudioContext | null = null

/** Noise that dies away through a filter. */
function noise(audio: AudioContext, at: number, lasts: number, filter: BiquadFilterNode, loud: number): void {
  const frames = Math.max(1, Math.round(audio.sampleRate * lasts))
  const buffer = audio.createBuffer(1, frames, audio.sampleRate)
  const data = buffer.getChannelData(0)
  for (let i = 0; i < frames; i += 1) data[i] = (Math.random() * 2 - 1) * (1 - i / frames) ** 2
  const source = new AudioBufferSourceNode(audio, { buffer })
  source.connect(filter).connect(new GainNode(audio, { gain: loud })).connect(audio.destination)
  source.start(at)
}

/** A gun begins with a crack and ends low: what is low from the start no laptop lets one hear. */
function gun(audio: AudioContext, at: number): void {
  const filter = new BiquadFilterNode(audio, { type: 'lowpass', frequency: 900 })
  filter.frequency.setValueAtTime(900, at)
  filter.frequency.exponentialRampToValueAtTime(110, at + 0.35)
  noise(audio, at, 0.6, filter, 0.45)
}

/** A die touches the table four times. */
function die(audio: AudioContext, at: number, pitch: number): void {
  for (const later of [0, 0.12, 0.22, 0.3]) noise(audio, at + later, 0.03, new BiquadFilterNode(audio, { type: 'bandpass', frequency: pitch }), 0.25)
}

/** A short tone. */
function tone(audio: AudioContext, at: number, pitch: number): void {
  const gain = new GainNode(audio, { gain: 0.14 })
  gain.gain.setValueAtTime(0.14, at)
  gain.gain.exponentialRampToValueAtTime(0.001, at + 0.35)
  const source = new OscillatorNode(audio, { type: 'triangle', frequency: pitch })
  source.connect(gain).connect(audio.destination)
  source.start(at)
  source.stop(at + 0.36)
}

/** What sounds are made with; null where there are none to be. Browsers let a page sound only after it was pressed somewhere. */
function awake(): AudioContext | null {
  if (!prefs.sound || typeof AudioContext === 'undefined') return null
  context ??= new AudioContext()
  void context.resume()
  return context
}

/** Whoever switches the sound on hears that it is on. */
export function trial(): void {
  const audio = awake()
  if (audio) die(audio, audio.currentTime + 0.02, 2400)
}

export function sound(beat: Beat): void {
  const audio = awake()
  if (!audio) return
  const now = audio.currentTime + 0.02
  if (beat.dice.length && beat.kind === 'dice') beat.dice.forEach((_, i) => die(audio, now + i * 0.045, 2400 + 300 * i))
  if (beat.kind === 'cell') tone(audio, now, 660)
  if (beat.arrows.some(({ kind }) => kind === 'attack' || kind === 'fire')) beat.arrows.slice(0, 3).forEach((_, i) => gun(audio, now + i * 0.11))
  if (beat.kind === 'outcome' && beat.marks.some((mark) => mark.tone === 'gone')) tone(audio, now, 196)
}
