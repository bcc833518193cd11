// WGSL in JupyterLab: cells that begin with %%writefile NAME.wgsl, and files that end so, are coloured, indented,
// folded and commented as WGSL. And its debugger has a button that steps back.
//
// This is a container of module federation written by hand: JupyterLab loads it, hands it the modules that it shares,
// and asks for ./extension. Nothing else is loaded, and nothing is bundled.
(() => {
  'use strict';

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

  // The language: parser and fold, put in here at installation as internal/wgsl/codemirror has them.

  "the language";

  const support = (language) => new language.LanguageSupport(
    language.StreamLanguage.define(parser), language.foldService.of(fold(language)));

  // Cells. The installation replaces this string by the expression of internal/ipynb/cell, which matches cells that
  // write a shader.

  const isShader = "whether a cell writes a shader";

  // watch gives a cell the type that its first line implies. JupyterLab resets every cell to the kernel's language
  // whenever the kernel reports it, so watch sets the type again.
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

  // answering answers JupyterLab's questions after a stop with what the stop's event contained: the call stack, scopes,
  // variables and the source. Each answer except the source is used once. Any other request to the kernel discards the
  // rest, because selecting another frame selects another invocation.
  const answering = (service) => {
    const known = new Map();
    const key = (command, asked) => [command, asked?.threadId ?? asked?.frameId ?? asked?.variablesReference ?? asked?.source?.path].join(' ');
    service.eventMessage.connect((_, { event, body }) => {
      if (event !== 'stopped') return;
      known.clear();
      for (const answer of body.wgslabAnswers ?? []) known.set(key(answer.command, answer.arguments), answer);
    });
    const answered = new WeakSet();
    return () => {
      const session = service.session;
      if (!session || answered.has(session)) return;
      answered.add(session);
      const ask = session.sendRequest.bind(session);
      session.sendRequest = async (command, asked) => {
        await null; // JupyterLab may ask before this extension has seen the same event
        const at = key(command, asked);
        const answer = known.get(at);
        if (command !== 'source') answer ? known.delete(at) : known.clear();
        return answer ? { type: 'response', command, success: true, body: answer.body } : ask(command, asked);
      };
    };
  };

  // stepping adds what JupyterLab's debugger lacks. It acts only if the kernel's cells are WGSL files, so other kernels
  // stay as they are.
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
      // Between a cell's start and its first stop JupyterLab asks for the program's variables, of which a shader's kernel has
      // none, and would put the answer in the place of what the stop shows.
      const show = service.displayDefinedVariables.bind(service);
      service.displayDefinedVariables = async () => { if (!ours()) await show(); };
      const answer = answering(service);
      answer();
      service.sessionChanged.connect(answer);
      const changed = () => app.commands.notifyCommandChanged(command);
      service.eventMessage.connect(changed);
      service.sessionChanged.connect(changed);
      sidebar.callstack.toolbar.insertAfter('step-out', 'wgslab-back', new CommandToolbarButton({ commands: app.commands, id: command, label: '' }));
      // After Terminate the debugger is on again, but JupyterLab 4.6 forgets to show it: the bug icon and the breakpoints.
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
