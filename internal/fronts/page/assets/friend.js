// A shader in a link: #add=… holds a compressed shader for the exercise add. The page shows it, but does not store or run
// it until the visitor agrees.

import * as store from './store.js';
import { coloured } from './editor.js';
import { pack, unpack, TooLong } from './link.js';
import { element } from './words.js';

// linkTo shows a link for sharing, which contains an exercise's shader.
export const linkTo = async (section, text) => {
  const place = section.querySelector('.offer');
  try {
    const link = `${location.origin}${location.pathname}#${section.dataset.exercise}=${await pack(text)}`;
    showLink(place, link, section.querySelector('.share'), element('p', {}, 'Anyone who opens this link sees your current shader. They keep their own until they choose yours.'));
  } catch (error) {
    if (!(error instanceof TooLong)) throw error;
    place.replaceChildren(element('p', {}, 'This shader is too long for a link. Use the zip at the bottom of the page instead.'));
  }
};

// showLink shows a link to copy, below its explanation. opener gets the focus back.
export const showLink = (place, link, opener, ...explained) => {
  const field = element('input', { value: link, readOnly: true, type: 'text', ariaLabel: 'The link', onfocus: () => field.select() });
  const said = element('span', { role: 'status' });
  const copy = element('button', { type: 'button', textContent: 'Copy', onclick: async () => {
    field.focus();
    said.textContent = await navigator.clipboard.writeText(link).then(() => 'Copied.', () => 'Copying failed. Copy the link from the field.');
  } });
  const close = element('button', { type: 'button', className: 'quiet', textContent: 'Close', onclick: () => {
    place.replaceChildren();
    opener.focus();
  } });
  place.replaceChildren(...explained,
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
    const why = error instanceof TooLong ? 'it is too long for a shader' : 'part of it is missing or damaged';
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
