// WGSL in JupyterLab: cells that begin with %%writefile NAME.wgsl, and files that end so, are coloured, indented,
// folded and commented as WGSL.
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

  const extension = async (scope) => {
    const [language, codemirror, notebooks] = await Promise.all(
      ['@codemirror/language', '@jupyterlab/codemirror', '@jupyterlab/notebook'].map((m) => shared(scope, m)));
    return {
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
    };
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
