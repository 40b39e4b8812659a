/** Web push: this browser shows a notice even when the page is closed. */

const WORKER = '/push.js'

export function canPush(): boolean {
  return typeof navigator !== 'undefined' && 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis
}

/** Where and with which keys this browser can be reached; null where its user does not want to be. */
export async function subscribe(serverKey: string): Promise<{ address: string; p256dh: string; auth: string } | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null
  await navigator.serviceWorker.register(WORKER)
  const worker = await navigator.serviceWorker.ready
  // a browser may refuse this too: in a private window, for example
  const found = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: serverKey }).catch(() => null)
  if (!found) return null
  const { endpoint, keys } = found.toJSON()
  return endpoint && keys?.p256dh && keys.auth ? { address: endpoint, p256dh: keys.p256dh, auth: keys.auth } : null
}
