// Lines to put in order: buttons that move the lines of a shader, for those who don't want to edit its text. The text
// of the editor is the truth. Between the comment that asks for lines and the block comment are the lines in use; the
// block comment holds those that are left out.

import { element } from './words.js';

// read divides a text into its parts, or returns null if it has lost them.
const read = (text) => {
  const lines = text.split('\n'), is = (wanted) => lines.findIndex((line) => line.trim() === wanted);
  const asks = lines.findIndex((line) => /^\s*\/\/ Your lines? go/.test(line)), begin = is('/*'), end = is('*/');
  if (asks < 0 || begin < asks || end < begin) return null;
  const between = (from, to) => lines.slice(from + 1, to).map((line) => line.trim()).filter(Boolean);
  return { head: lines.slice(0, asks + 1), used: between(asks, begin), out: between(begin, end), tail: lines.slice(end + 1) };
};

// depths returns how deep each line is in braces.
const depths = (lines) => {
  let depth = 0;
  return lines.map((line) => {
    if (line.startsWith('}')) depth = Math.max(0, depth - 1);
    const own = depth;
    if (line.endsWith('{')) depth += 1;
    return own;
  });
};

const write = ({ head, used, out, tail }) => {
  const depth = depths(used), line = (words, deep) => ' '.repeat(4 * (deep + 1)) + words;
  return [...head, ...used.map((words, i) => line(words, depth[i])), '', line('/*', 0), ...out.map((words) => line(words, 0)), line('*/', 0), ...tail].join('\n');
};

// moves are the buttons of a line: its sign, its name, and how it changes the lists at an index. Each returns the new
// place of the line, or null if it can't move there.
const moves = {
  used: [
    ['↑', 'Move up', ({ used }, i) => i > 0 && (swap(used, i, i - 1), ['used', i - 1])],
    ['↓', 'Move down', ({ used }, i) => i < used.length - 1 && (swap(used, i, i + 1), ['used', i + 1])],
    ['−', 'Leave out', ({ used, out }, i) => ['out', out.push(...used.splice(i, 1)) - 1]],
  ],
  out: [['+', 'Use', ({ used, out }, i) => ['used', used.push(...out.splice(i, 1)) - 1]]],
};

const swap = (list, i, j) => { [list[i], list[j]] = [list[j], list[i]]; };

// setUpOrder shows the lines of an editor in a place, and returns the function that shows another text.
export const setUpOrder = (place, editor) => {
  const said = element('p', { className: 'spoken', role: 'status' });
  const show = (text) => {
    const parts = read(text);
    place.hidden = parts === null;
    if (parts === null) return;
    const list = (name, title, deep) => element('section', {}, element('h3', {}, title), element('ol', {}, ...parts[name].map((words, i) => {
      const row = element('li', {}, element('code', { style: `padding-left: ${2 * deep[i]}ch` }, words));
      for (const [sign, label, move] of moves[name]) row.append(button(name, i, words, sign, label, move));
      return row;
    })));
    place.replaceChildren(list('used', 'Your shader', depths(parts.used)), list('out', 'Left out', parts.out.map(() => 0)), said);
  };
  const button = (name, i, words, sign, label, move) => element('button', {
    type: 'button', className: 'quiet', textContent: sign, title: label, ariaLabel: `${label}: ${words}`,
    onclick: () => {
      const parts = read(editor.text()), moved = move(parts, i);
      if (!moved) return;
      editor.set(write(parts)); // which shows it
      const [to, at] = moved, row = place.querySelectorAll('ol')[to === 'used' ? 0 : 1].children[at];
      (row.querySelector(`[title="${label}"]`) ?? row.querySelector('button')).focus();
      said.textContent = to === 'used' ? `Line ${at + 1} of ${parts.used.length}.` : 'Left out.';
    },
  });
  show(editor.text());
  return show;
};
