/* Shows a notice of the server while no page is open, and opens the match when it is clicked. */

self.addEventListener('push', (event) => {
  const { text = '', url = '/', match = '' } = event.data?.json() ?? {}
  event.waitUntil(self.registration.showNotification('Fronte', { body: text, tag: match, data: { url } }))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const wanted = new URL(event.notification.data.url, self.location.origin)
  // only pages of this server are opened, whatever the message says
  if (wanted.origin !== self.location.origin) return
  event.waitUntil(self.clients.openWindow(wanted.href))
})
