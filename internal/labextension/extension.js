// WGSL in JupyterLab: cells that begin with %%writefile NAME.wgsl, and files that end so, are coloured, indented,
// folded and commented as WGSL. And its debugger has a button that steps back.
//
// This is a container of module federation written by hand: JupyterLab loads it, hands it the modules that it shares,
// and asks for ./extension. Nothing else is loaded, and nothing is bundled. The words of the language are put in at
// installation, from the Go front end.
(() => {
  'use strict';

  const words = {"words":"of the language"};

  const mime = 'text/wgsl'; // the WGSL specification, appendix A

  // shared gives a module that JupyterLab shares: the one in use, or else the newest.
  const shared = async (scope, name) => {
    const newer = (a, b) => b.localeCompare(a, undefined, { numeric: true });
    const versions = Object.keys(scope[name] ?? {}).sort(newer);
    const version = versions.find((v) => scope[name][v].loaded) ?? versions[0];
    if (version === undefined) throw new Error(`JupyterLab does not share ${name}: wgslab's WGSL needs JupyterLab 4`);
    const entry = scope[name][version];
    return (entry.lib ?? await entry.get())();
  };

  // The language.

  const set = (list) => new Set(list);
  const keywords = set(words.keywords), reserved = set(words.reserved), types = set(words.types);
  const functions = set(words.functions), enumerants = set(words.enumerants), inputs = set(words.builtinValues);
  const closing = { '(': ')', '[': ']', '{': '}' };
  const number = /^(?:0[xX][\da-fA-F]*\.?[\da-fA-F]*(?:[pP][+-]?\d+)?|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)[iufh]?/;
  const name = /^[\p{XID_Start}_]\p{XID_Continue}*/u;
  const operator = /^(?:->|<<=|>>=|<<|>>|&&|\|\||\+\+|--|[-+*\/%&|^!=<>]=|[-+*\/%&|^!=<>~])/;

  // comment reads on in a block comment; they nest.
  const comment = (stream, state) => {
    while (!stream.eol()) {
      if (stream.match('*/')) {
        if (--state.comment === 0) break;
      } else if (stream.match('/*')) {
        state.comment++;
      } else {
        stream.next();
      }
    }
    return 'comment';
  };

  // style says how a name is coloured, by the token before it and the character behind it.
  const style = (word, stream, state) => {
    const called = stream.match(/^\s*\(/, false);
    if (state.last === '@') return 'attributeName';
    if (state.last === '.') return 'propertyName';
    if (state.asks && inputs.has(word)) return 'atom';
    if (state.angle && (state.last === '<' || state.last === ',') && enumerants.has(word)) return 'atom';
    if (word === 'true' || word === 'false') return 'bool';
    if (keywords.has(word)) return 'keyword';
    if (reserved.has(word)) return 'invalid';
    if (types.has(word)) return 'variableName.special';
    if (called && functions.has(word)) return 'variableName.standard';
    return 'variableName';
  };

  // bracket keeps count of what is open, and how far the line was indented where it was opened.
  const bracket = (character, state) => {
    if (closing[character]) {
      state.open.push({ close: closing[character], indent: state.indent });
    } else if (state.open.length > 0 && state.open[state.open.length - 1].close === character) {
      state.open.pop();
    }
    if (character === '(') state.asks = state.last === 'builtin';
    if (character === ')') state.asks = false;
  };

  const token = (stream, state) => {
    if (stream.sol()) {
      state.indent = stream.indentation();
      const magic = state.first && stream.match(/^%%.*/);
      state.first = false;
      if (magic) return 'operator'; // as JupyterLab shows magics in other languages
    }
    if (state.comment > 0) return comment(stream, state);
    if (stream.eatSpace()) return null;
    if (stream.match('//')) {
      stream.skipToEnd();
      return 'comment';
    }
    if (stream.match('/*')) {
      state.comment = 1;
      return comment(stream, state);
    }
    const start = stream.pos;
    const found = lexeme(stream, state);
    state.last = stream.string.slice(start, stream.pos);
    return found;
  };

  const lexeme = (stream, state) => {
    if (stream.match(number)) return 'number';
    const word = stream.match(name);
    if (word) return style(word[0], stream, state);
    if (stream.match(operator)) {
      const text = stream.current();
      // An address space, access mode or texel format stands only in these angle brackets.
      if (text === '<') state.angle = state.last === 'var' || state.last === 'ptr' || state.last.startsWith('texture_storage');
      if (text.startsWith('>')) state.angle = false;
      return 'operator';
    }
    const character = stream.next();
    if ('()[]{}'.includes(character)) bracket(character, state);
    return character === '@' ? 'attributeName' : null; // the rest is plain, as in Go cells
  };

  const parser = {
    name: 'wgsl',
    startState: () => ({ first: true, comment: 0, indent: 0, open: [], last: '', angle: false, asks: false }),
    copyState: (state) => ({ ...state, open: [...state.open] }),
    token,
    blankLine: (state) => { state.first = false; },
    indent: (state, after, context) => {
      if (state.comment > 0) return null;
      const inner = state.open[state.open.length - 1];
      if (!inner) return 0;
      return after.startsWith(inner.close) ? inner.indent : inner.indent + context.unit;
    },
    languageData: {
      commentTokens: { line: '//', block: { open: '/*', close: '*/' } },
      closeBrackets: { brackets: ['(', '[', '{'] },
      indentOnInput: /^\s*[)\]}]$/,
    },
  };

  // fold is what may be folded on a line: from the last brace that it leaves open to the one that closes it.
  const fold = (language) => (state, from, to) => {
    const line = state.doc.sliceString(from, to).replace(/\/\/.*/, '');
    for (let i = line.lastIndexOf('{'); i >= 0; i = i > 0 ? line.lastIndexOf('{', i - 1) : -1) {
      const match = language.matchBrackets(state, from + i, 1);
      if (match?.matched && match.end.from > to) return { from: from + i + 1, to: match.end.from };
    }
    return null;
  };

  const support = (language) => new language.LanguageSupport(
    language.StreamLanguage.define(parser), language.foldService.of(fold(language)));

  // Cells.

  const isShader = (source) => /^%%writefile[ \t](?:.*\S)?\.wgsl[ \t]*(?:\n|$)/.test(source);

  // watch keeps the type of a cell what its first line says. JupyterLab sets it anew, to the kernel's language, whenever
  // the kernel tells its language, so that it is set again after that.
  const watched = new WeakSet();
  const watch = (notebook, model) => {
    if (model.type !== 'code' || watched.has(model)) return;
    watched.add(model);
    const settle = () => {
      if (isShader(model.sharedModel.getSource())) {
        model.mimeType = mime;
      } else if (model.mimeType === mime) {
        model.mimeType = notebook.codeMimetype;
      }
    };
    model.mimeTypeChanged.connect(settle);
    model.contentChanged.connect(settle);
    settle();
  };

  // watchAll watches the cells of a notebook, those that come later too. A notebook far from the window has models
  // for its cells, but not yet editors.
  const watchAll = (notebook) => {
    const cells = notebook.model?.cells;
    if (!cells) return;
    for (const model of cells) watch(notebook, model);
    cells.changed.connect((_, change) => change.newValues.forEach((model) => watch(notebook, model)));
  };

  const colours = (language, codemirror, notebooks) => ({
    id: 'wgslab:wgsl',
    description: 'WGSL in cells that write a shader, and in files.',
    autoStart: true,
    requires: [codemirror.IEditorLanguageRegistry],
    optional: [notebooks.INotebookTracker],
    activate: (app, languages, tracker) => {
      languages.addLanguage({
        name: 'wgsl', displayName: 'WGSL', mime: [mime, 'text/x-wgsl'], extensions: ['wgsl'], support: support(language),
      });
      tracker?.widgetAdded.connect((_, panel) => {
        watchAll(panel.content);
        panel.content.modelChanged.connect(watchAll);
      });
    },
  });

  // The debugger.

  const mirrored = (svg) => {
    const width = /viewBox="0 0 ([\d.]+)/.exec(svg)?.[1] ?? 24;
    return svg.replace(/(<svg[^>]*>)([^]*)(<\/svg>)/, `$1<g transform="translate(${width} 0) scale(-1 1)">$2</g>$3`);
  };

  // stepping adds what JupyterLab's debugger lacks, where the kernel's cells are files of WGSL: no other kernel's are.
  const stepping = (debug, components, notebooks) => ({
    id: 'wgslab:debugger',
    description: 'A button that steps back, in the debugger of shaders.',
    autoStart: true,
    optional: [debug.IDebugger, debug.IDebuggerSidebar, debug.IDebuggerHandler, notebooks.INotebookTracker],
    activate: (app, service, sidebar, handler, tracker) => {
      if (!service || !sidebar) return;
      const command = 'wgslab:debug-back';
      const ours = () => service.config.getTmpFileParams(service.session?.connection?.kernel?.name ?? '')?.suffix === '.wgsl';
      const { LabIcon, CommandToolbarButton, stepOverIcon } = components;
      app.commands.addCommand(command, {
        label: 'Step Back',
        caption: 'Step Back',
        icon: new LabIcon({ name: command, svgstr: mirrored(stepOverIcon.svgstr) }),
        isVisible: ours,
        isEnabled: () => ours() && service.hasStoppedThreads(),
        execute: () => service.session.sendRequest('stepBack', { threadId: 1 }),
      });
      const changed = () => app.commands.notifyCommandChanged(command);
      service.eventMessage.connect(changed);
      service.sessionChanged.connect(changed);
      sidebar.callstack.toolbar.insertAfter('step-out', 'wgslab-back', new CommandToolbarButton({ commands: app.commands, id: command, label: '' }));
      // Behind Terminate the debugger is on again, and JupyterLab 4.6 forgets to show it: the bug, and what is beside the lines.
      app.commands.commandExecuted.connect(async (_, { id, result }) => {
        if (id !== 'debugger:terminate' || !ours()) return;
        await result;
        const panel = tracker?.currentWidget;
        if (panel) await handler?.updateContext(panel, panel.sessionContext);
      });
    },
  });

  const extension = async (scope) => {
    const modules = ['@codemirror/language', '@jupyterlab/codemirror', '@jupyterlab/notebook', '@jupyterlab/debugger', '@jupyterlab/ui-components'];
    const [language, codemirror, notebooks, debug, components] = await Promise.all(modules.map((m) => shared(scope, m)));
    return [colours(language, codemirror, notebooks), stepping(debug, components, notebooks)];
  };

  let scope;
  (globalThis._JUPYTERLAB ??= {}).wgslab = {
    init: (given) => { scope = given; },
    get: async (module) => {
      if (module !== './extension') throw new Error(`wgslab has no module ${module}`);
      const found = await extension(scope);
      return () => ({ __esModule: true, default: found });
    },
  };
})();
