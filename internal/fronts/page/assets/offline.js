// Offline use: a service worker stores the page's files, all of one version.

import { inFolder } from './folder.js';
import { element, notice } from './words.js';

export const startOffline = async () => {
  if (!navigator.serviceWorker || inFolder) return; // a folder needs its server anyway
  const place = document.getElementById('offline');
  const registration = await navigator.serviceWorker.register('sw.js').catch(() => null);
  if (!registration) return;
  navigator.serviceWorker.ready.then(() => { place.textContent = 'Works offline now.'; });
  const offer = () => {
    if (!registration.waiting || !navigator.serviceWorker.controller) return;
    const reload = element('button', { type: 'button', textContent: 'Load it', onclick: () => {
      navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
      registration.waiting.postMessage('take over');
    } });
    notice('There is a newer version of this page. ', reload);
  };
  offer();
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', offer);
  });
};
