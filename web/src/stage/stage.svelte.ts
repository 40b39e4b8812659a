/** The stage on which fights are shown: one scene at a time, beat by beat, over the map as it was before it. */

import { desk } from '../lib/desk.svelte'
import { prefs } from '../lib/prefs.svelte'
import type { HexId, View } from '../lib/types'
import { groundOf, type Beat, type Scene } from './script'
import { sound } from './sound'

/** Is somebody there who wants to see it? */
export function isWanted(): boolean {
  return prefs.stage && !isStill() && !document.hidden
}

/** Does the system ask for less motion? Then no fight is shown, and none is heard. */
export function isStill(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

class Stage {
  scene = $state.raw<Scene | null>(null)
  /** The beat that is shown. */
  at = $state(0)
  /** What the map shows meanwhile; null: what is there now. */
  view = $state.raw<View | null>(null)
  /** What the attack that is being sent was thought to come to. */
  foreseen: { target: HexId; column: string } = { target: '', column: '' }

  private scale = 0
  private timer: ReturnType<typeof setTimeout> | undefined
  /** The table that asked for the scene. While one takes the place of another, state reads as it was before: this does not. */
  private owner: object | null = null
  /** The press that ended a scene means nothing else. */
  private pressed = false

  get playing(): boolean {
    return this.scene !== null
  }

  get beat(): Beat | null {
    return this.scene?.beats[this.at] ?? null
  }

  /** What has been shown so far of the fight that is shown. */
  get told(): Beat[] {
    const told = this.scene?.beats.slice(0, this.at + 1) ?? []
    return told.slice(Math.max(0, told.findLastIndex(({ opens }) => opens)))
  }

  /** `scale`: how large the map is to be at least. */
  play(scene: Scene, view: View | null, scale: number, owner: object): void {
    clearTimeout(this.timer)
    this.owner = owner
    this.scene = scene
    this.view = view
    this.scale = scale
    desk.held = true
    this.show(0)
  }

  private show(at: number): void {
    const next = this.scene?.beats[at]
    if (!next) {
      this.end()
      return
    }
    this.at = at
    // of several fights that came together the map goes from one to the next
    if (this.scene && (at === 0 || next.opens)) desk.goTo = { hexes: groundOf(this.scene, at), scale: this.scale }
    sound(next)
    this.timer = setTimeout(() => this.show(at + 1), next.ms)
  }

  /** It is over, or whoever looks on has seen enough: the map is as it is now. */
  end(): void {
    clearTimeout(this.timer)
    if (!this.owner) return
    this.owner = null
    this.scene = null
    this.view = null
    desk.release()
  }

  /** A table is left: what it showed is over, but not what the next one shows already. */
  leave(owner: object): void {
    if (this.owner === owner) this.end()
  }

  /** A press on the map ends the scene, and chooses nothing. */
  press(): void {
    this.pressed = this.playing
    this.end()
  }

  /** Was the press that comes to its end now the one that ended a scene? */
  swallows(): boolean {
    const was = this.pressed
    this.pressed = false
    return was
  }
}

export const stage = new Stage()
