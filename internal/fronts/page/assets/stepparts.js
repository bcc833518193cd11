// The parts of the step view: the current statement, the workgroup, its memory and its variables.

import { element } from './words.js';

// markSpan highlights a part of a line, in browsers that can do so without changing the text.
export const markSpan = (line, from, to) => {
  if (!CSS.highlights) return;
  CSS.highlights.delete('statement');
  if (!line) return;
  const range = new Range();
  range.setStart(line, 0);
  range.setEnd(line, line.childNodes.length);
  let at = 0;
  const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    if (from >= at && from < at + text.length) range.setStart(text, from - at);
    if (to > at && to <= at + text.length) range.setEnd(text, to - at);
    at += text.length;
  }
  CSS.highlights.set('statement', new Highlight(range));
};

// strip shows the workgroup with a cell for each invocation. A letter and a colour show its line. One cell is selected.
export const strip = ({ picture: { width, cells, groups }, invocation }, choose) => {
  const list = element('div', { className: 'strip', role: 'listbox', ariaLabel: 'The invocations of this workgroup' });
  list.style.setProperty('--width', width);
  list.toggleAttribute('data-wide', width === 1 || width > 16);
  list.append(...cells.map((group, i) => {
    const { letter, colour, does, state } = groups[group], here = i === invocation;
    const cell = element('div', { className: 'cell', role: 'option', ariaSelected: here, tabIndex: here ? 0 : -1, title: `invocation ${i}, ${does}`, ariaLabel: `invocation ${i}, ${does}` }, letter);
    cell.dataset.state = state;
    cell.style.setProperty('--colour', colour);
    return cell;
  }));
  const all = [...list.children];
  list.onclick = ({ target }) => { if (all.includes(target)) choose(all.indexOf(target)); };
  list.onkeydown = (event) => {
    const at = all.indexOf(event.target);
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      choose(at);
      return;
    }
    const row = all.findIndex((cell) => cell.offsetTop > all[0].offsetTop), columns = row < 0 ? all.length : row;
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + columns, ArrowUp: at - columns, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined || !all[to]) return;
    event.preventDefault();
    all[at].tabIndex = -1;
    all[to].tabIndex = 0;
    all[to].focus();
  };
  return list;
};

// legend explains the strip in words.
export const legend = ({ groups }) => element('ul', { className: 'legend' }, ...groups.map(({ letter, colour, state, words }) => {
  const swatch = element('span', { className: 'cell', ariaHidden: 'true' }, letter);
  swatch.dataset.state = state;
  swatch.style.setProperty('--colour', colour);
  return element('li', {}, swatch, element('span', { className: 'words', title: words }, words));
}));

// memory shows which invocation wrote each element last.
export const memory = ({ memory: list }) => list.flatMap(({ name, colours, mine, words }) => {
  const row = element('div', { className: 'elements', role: 'img', ariaLabel: `${name} was written by ${words}` });
  row.append(...colours.map((colour, i) => {
    const cell = element('span', { title: `${name}[${i}]` });
    if (colour === '-') cell.className = 'elsewhere';
    else if (colour) cell.style.background = colour;
    if (mine.includes(i)) cell.classList.add('mine');
    return cell;
  }));
  return [element('h4', {}, 'Who wrote ', element('code', {}, name), ' last'), row, element('p', { className: 'small words', ariaHidden: 'true', title: words }, words)];
});

// bare returns a value without its type names, because the type is shown next to it.
const bare = (value, type) => (type && value.startsWith(type + '(') ? value.slice(type.length) : value).replaceAll(/array<[^(]*>\(/g, '(');

// variables shows groups of variables. A click on the name of a composite opens or closes its parts.
export const variables = (place, scopes, toggle) => {
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.path : null;
  const list = (items) => element('ul', {}, ...items.map(({ path, name, type, value, changed, more, parts }) => {
    const called = more
      ? element('button', { type: 'button', className: 'twist', ariaExpanded: Boolean(parts), onclick: () => toggle(path) }, name)
      : element('span', { className: 'name' }, name);
    if (more) called.dataset.path = path;
    const line = element('div', { className: 'variable' }, called, element('code', { className: 'value', title: value }, bare(value, type)), element('span', { className: 'type', title: type }, type));
    if (changed) {
      line.dataset.changed = '';
      line.append(element('span', { className: 'spoken' }, 'changed'));
    }
    return parts ? element('li', {}, line, list(parts)) : element('li', {}, line);
  }));
  place.replaceChildren(...scopes.flatMap(({ name, variables: items }) => [element('h3', {}, name), list(items)]));
  if (focused) place.querySelector(`[data-path="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
};
