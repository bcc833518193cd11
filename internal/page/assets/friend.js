// A shader in a link: #add=… holds a compressed shader for the exercise add. The page shows it, but does not store or run
// it until the visitor agrees.

import * as store from './store.js';
import { coloured } from './editor.js';
import { element } from './words.js';

const most = 64 * 1024; // bytes of a linked shader: sixty times the course's longest
const mostPacked = 16 * 1024; // bytes of a link: a length that chats and browsers accept

const through = (bytes, stream) => new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer();

// pack encodes a text for an address.
const pack = async (text) => {
  const bytes = new Uint8Array(await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw')));
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
};

// unpack decodes it, and stops at the size limit.
const unpack = async (packed) => {
  if (packed.length > mostPacked) throw new Error('it is too long');
  const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const parts = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new Error('it is too long');
    }
    parts.push(value);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(await new Blob(parts).arrayBuffer());
};

// linkTo shows a link for sharing, which contains an exercise's shader.
export const linkTo = async (section, text) => {
  const place = section.querySelector('.offer');
  const packed = await pack(text);
  if (packed.length > mostPacked) {
    place.replaceChildren(element('p', {}, 'This shader is too long for a link. Use the zip at the bottom of the page instead.'));
    return;
  }
  const link = `${location.origin}${location.pathname}#${section.dataset.exercise}=${packed}`;
  const field = element('input', { value: link, readOnly: true, type: 'text', ariaLabel: 'The link to this shader', onfocus: () => field.select() });
  const said = element('span', { role: 'status' });
  const copy = element('button', { type: 'button', textContent: 'Copy', onclick: async () => {
    field.focus();
    said.textContent = await navigator.clipboard.writeText(link).then(() => 'Copied.', () => 'Copying failed. Copy the link from the field.');
  } });
  const close = element('button', { type: 'button', className: 'quiet', textContent: 'Close', onclick: () => {
    place.replaceChildren();
    section.querySelector('.share').focus();
  } });
  place.replaceChildren(element('p', {}, 'Anyone who opens this link sees your current shader. They keep their own until they choose yours.'),
    element('p', { className: 'buttons' }, field, copy, close, said));
  field.focus();
};

// offerFriend shows the shader in the page's address.
export const offerFriend = async (shaders) => {
  const [, id, packed] = /^#([a-z-]+)=(.*)$/.exec(location.hash) ?? [];
  const shader = shaders.get(`work/${id}.wgsl`);
  if (!shader?.section.dataset.exercise) return;
  const { section, editor } = shader, place = section.querySelector('.offer');
  const done = (anchor) => {
    history.replaceState(null, '', '#' + anchor);
    place.replaceChildren();
    editor.focus();
  };
  section.scrollIntoView();
  let text;
  try {
    text = await unpack(packed);
  } catch (error) {
    const why = error.message === 'it is too long' ? 'it is too long for a shader' : 'part of it is missing or damaged';
    const close = element('button', { type: 'button', textContent: 'Close', onclick: () => done(id) });
    place.replaceChildren(element('p', {}, `Could not read the shader in this link: ${why}.`), element('p', { className: 'buttons' }, close));
    return;
  }
  const use = element('button', { type: 'button', className: 'primary use', textContent: 'Use it', onclick: () => {
    store.replace(section.dataset.file, text, editor.text());
    done(id);
  } });
  const discard = element('button', { type: 'button', className: 'discard', textContent: 'Discard', onclick: () => done(id) });
  const heading = element('h3', { tabIndex: -1 }, 'A friend’s shader');
  place.replaceChildren(heading,
    element('p', {}, 'This shader came with the link. It hasn’t run yet. Your own is below. If you use this one, the page keeps yours: ', element('em', {}, 'Put back what was here'), ' brings it back.'),
    element('pre', { className: 'code', tabIndex: 0 }, ...coloured(text)),
    element('p', { className: 'buttons' }, use, discard));
  heading.focus();
};
