/** A notice of this browser while its page is not looked at, if its user allows it. */

import { keepPrefs, prefs } from './prefs.svelte'

export function canNotify(): boolean {
  return typeof Notification !== 'undefined' && Notification.permission !== 'denied'
}

/** Ask for leave, or want no more notices; what holds then. */
export async function wantNotices(wanted: boolean): Promise<boolean> {
  prefs.notify = wanted && canNotify() && (await Notification.requestPermission()) === 'granted'
  keepPrefs()
  return prefs.notify
}

/** Call whoever plays here, unless the page is being looked at. */
export function call(title: string, text: string, about: string): void {
  if (!prefs.notify || !document.hidden || typeof Notification === 'undefined' || Notification.permission !== 'granted') return
  try {
    const shown = new Notification(title, { body: text, tag: about })
    shown.onclick = () => {
      window.focus()
      shown.close()
    }
  } catch {
    // some browsers show notices of service workers only
  }
}
