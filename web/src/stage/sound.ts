/** The few sounds of the stage, made here and now: guns, dice, the cell that counts. Off unless somebody wants them. */

import { prefs } from '../lib/prefs.svelte'
import type { Beat } from './script'

let context: AudioContext | null = null

/** A burst of noise: low and long it is a gun, high and short a die on the table. */
function burst(audio: AudioContext, at: number, lasts: number, pitch: number, loud: number): void {
  const frames = Math.max(1, Math.round(audio.sampleRate * lasts))
  const buffer = audio.createBuffer(1, frames, audio.sampleRate)
  const data = buffer.getChannelData(0)
  for (let i = 0; i < frames; i += 1) data[i] = (Math.random() * 2 - 1) * (1 - i / frames) ** 2
  const source = new AudioBufferSourceNode(audio, { buffer })
  source.connect(new BiquadFilterNode(audio, { type: pitch < 500 ? 'lowpass' : 'bandpass', frequency: pitch })).connect(new GainNode(audio, { gain: loud })).connect(audio.destination)
  source.start(at)
}

/** A short tone. */
function tone(audio: AudioContext, at: number, pitch: number): void {
  const gain = new GainNode(audio, { gain: 0.08 })
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
  if (audio) [0, 0.12, 0.22, 0.3].forEach((later) => burst(audio, audio.currentTime + 0.02 + later, 0.03, 2400, 0.25))
}

export function sound(beat: Beat): void {
  const audio = awake()
  if (!audio) return
  const now = audio.currentTime + 0.02
  if (beat.dice.length && beat.kind === 'dice') beat.dice.forEach((_, i) => [0, 0.12, 0.22, 0.3].forEach((later) => burst(audio, now + later + i * 0.045, 0.03, 2400 + 300 * i, 0.25)))
  if (beat.kind === 'cell') tone(audio, now, 660)
  if (beat.arrows.some(({ kind }) => kind === 'attack' || kind === 'fire')) beat.arrows.slice(0, 3).forEach((_, i) => burst(audio, now + i * 0.11, 0.5, 140, 0.5))
  if (beat.kind === 'outcome' && beat.marks.some((mark) => mark.tone === 'gone')) tone(audio, now, 196)
}
