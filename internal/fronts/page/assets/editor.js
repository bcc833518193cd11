// The editors: CodeMirror with the WGSL mode of the JupyterLab extension. The course's own front end finds the problems.
// Programs have CodeMirror's mode for JavaScript, and no more.

import { EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, WidgetType, keymap, lineNumbers, drawSelection, highlightSpecialChars, hoverTooltip, tooltips } from '@codemirror/view';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { StreamLanguage, LanguageSupport, bracketMatching, foldService, indentOnInput, indentUnit, matchBrackets, syntaxHighlighting } from '@codemirror/language';
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { linter, lintKeymap } from '@codemirror/lint';
import { classHighlighter, highlightCode } from '@lezer/highlight';
import { javascript } from '@codemirror/legacy-modes/mode/javascript';
import { parser, fold } from 'wgsl';
import { writer } from './judge.js';
import { element, spoken } from './words.js';

const wgsl = new LanguageSupport(StreamLanguage.define(parser), foldService.of(fold({ matchBrackets })));

const script = new LanguageSupport(StreamLanguage.define(javascript));

// The kinds of completions, by the CodeMirror type that has an icon.
const icons = { function: 'function', builtin: 'function', keyword: 'keyword', type: 'type', variable: 'variable', constant: 'constant', member: 'property', attribute: 'property', enumerant: 'enum' };

const complete = async (context) => {
  if (!context.explicit && !context.matchBefore(/[\p{XID_Start}_@]\p{XID_Continue}*$|\.\w*$/u)) return null;
  const found = await writer.ask({ do: 'complete', source: context.state.doc.toString(), offset: context.pos }).catch(() => null);
  if (!found || found.items.length === 0 || context.aborted) return null;
  return {
    from: found.start, to: found.end,
    options: found.items.map(({ text, kind, detail, doc }, i) => ({
      label: text, type: icons[kind] ?? 'text', detail, boost: -i / found.items.length, info: doc || undefined,
    })),
    validFor: /^[\p{XID_Continue}]*$/u,
  };
};

// inspected returns the tooltip of the name at a position.
const inspected = async (view, pos) => {
  const word = view.state.wordAt(pos);
  if (!word) return null;
  const found = await writer.ask({ do: 'inspect', source: view.state.doc.toString(), offset: pos }).catch(() => null);
  if (!found?.found) return null;
  return {
    pos: word.from, end: word.to, above: true,
    create: () => {
      const dom = document.createElement('div');
      dom.className = 'inspected';
      dom.textContent = found.text;
      return { dom };
    },
  };
};

// problems asks the judge for the problems of a text. It also passes them to tell, which shows them in words.
const problems = (tell, untouched) => async (view) => {
  const source = view.state.doc.toString();
  if (source === untouched) {
    tell([]); // an unfinished shader leaves names unused, which is no problem
    return [];
  }
  const found = await writer.ask({ do: 'problems', source }).catch(() => null);
  if (!found) return [];
  tell(found.problems);
  const length = view.state.doc.length; // it may have become shorter
  return found.problems.map(({ from, to, severity, message, hint }) => ({
    from: Math.min(from, length), to: Math.min(Math.max(to, from), length), severity, message,
    renderMessage: () => element('span', {}, ...spoken(hint ? `${message} ${hint}` : message)),
  }));
};

// A Heat shows beside a line what it moves, in one of three steps.
class Heat extends WidgetType {
  constructor(heat) {
    super();
    this.heat = heat;
  }

  toDOM() {
    const { bytes, says, step } = this.heat;
    return element('span', { className: 'cm-heats' }, element('span', { className: `heat heat-${step}`, title: says }, bytes));
  }
}

// The costs of lines, at their right edge: a gutter would move the code. They are about one text, so a change removes them.
const setHeats = StateEffect.define();
const heats = StateField.define({
  create: () => Decoration.none,
  update: (old, transaction) => transaction.effects.find((effect) => effect.is(setHeats))?.value ?? (transaction.docChanged ? Decoration.none : old),
  provide: (field) => EditorView.decorations.from(field),
});

// coloured returns a text highlighted as in an editor.
export const coloured = (text) => {
  const parts = [];
  highlightCode(text, wgsl.language.parser.parse(text), classHighlighter,
    (piece, className) => parts.push(className ? element('span', { className }, piece) : piece), () => parts.push('\n'));
  return parts;
};

// difference returns the change that makes one text another: what is between their common beginning and end.
const difference = (from, to) => {
  let start = 0, end = 0;
  const shorter = Math.min(from.length, to.length);
  while (start < shorter && from[start] === to[start]) start++;
  while (end < shorter - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end++;
  return { from: start, to: from.length - end, insert: to.slice(start, to.length - end) };
};

// help is what the judge adds to a shader's editor.
const help = (told, untouched) => [
  autocompletion({ override: [complete] }), linter(problems(told, untouched), { delay: 250 }), hoverTooltip(inspected), tooltips({ position: 'absolute' }), wgsl,
];

// edit replaces the contents of a parent with an editor: of a program if the name ends with .js, else of a shader. It calls changed with each new text, check on Ctrl-Enter, format
// on Alt-Shift-F, and told with the problems of the text. It reports no problems of the unchanged skeleton.
export const edit = (parent, { name, text, untouched, changed, check, format, told }) => {
  const run = () => { check?.(); return check !== undefined; }, isProgram = name.endsWith('.js');
  const state = EditorState.create({
    doc: text,
    extensions: [
      keymap.of([{ key: 'Mod-Enter', run, preventDefault: true }, { key: 'Shift-Enter', run }, { key: 'Shift-Alt-f', run: () => { if (!isProgram) format(); return !isProgram; }, preventDefault: true }]),
      heats, lineNumbers(), highlightSpecialChars(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(),
      isProgram ? script : help(told, untouched), indentUnit.of('    '), syntaxHighlighting(classHighlighter), EditorView.lineWrapping,
      keymap.of([...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...historyKeymap, ...lintKeymap, indentWithTab]),
      EditorView.contentAttributes.of({ 'aria-label': `The ${isProgram ? 'program' : 'shader'} ${name}`, spellcheck: 'false', autocapitalize: 'off', autocorrect: 'off' }),
      EditorView.updateListener.of((update) => { if (update.docChanged) changed(update.state.doc.toString()); }),
    ],
  });
  parent.replaceChildren();
  const view = new EditorView({ state, parent });
  return {
    text: () => view.state.doc.toString(),
    set: (other) => {
      const now = view.state.doc.toString();
      if (other !== now) view.dispatch({ changes: difference(now, other) });
    },
    focus: () => view.focus(),
    // heat shows what the lines of a text cost, if it is still the editor's.
    heat: (text, list) => {
      if (text !== view.state.doc.toString()) return;
      const { doc } = view.state, known = list.filter(({ line }) => line <= doc.lines);
      view.dispatch({ effects: setHeats.of(Decoration.set(known.map((heat) => Decoration.widget({ widget: new Heat(heat), side: 1 }).range(doc.line(heat.line).to)), true)) });
    },
  };
};
