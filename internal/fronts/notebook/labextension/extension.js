// WGSL in JupyterLab: cells that begin with %%writefile NAME.wgsl, and files that end so, are coloured, indented,
// folded and commented as WGSL. While a cell of our kernel runs, the page stays where it is, and a verdict is dimmed once
// its shader has changed. A right shader's lines say what they move. A command formats a cell's shader. A button below a
// failed check asks an AI tutor. The side bar has the learner's journal, which knows the hints that were opened. A folded
// shader opens once the exercise whose idea it gives away is right. The debugger has a button that steps back, and its
// console keeps the keyboard.
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

  // The language: parser and fold, put in here at installation as internal/wgsl/assist has them.

  "the language";

  // support numbers the lines as well: verdicts speak of them.
  const support = (language, view) => new language.LanguageSupport(
    language.StreamLanguage.define(parser), [language.foldService.of(fold(language)), view.lineNumbers()]);

  // Cells. The installation replaces this string by the function of internal/ground/ipynb/cell that returns the shader that a
  // cell writes, or null.

  const shaderFile = "the shader that a cell writes";

  // checkedIn returns the id of the exercise that a cell checks, or undefined.
  const checkedIn = (model) => {
    const [, id, other] = /\bcheck\.(?:(?:Exercise|Host)\("([^"]+)"|(Forward|Train)\()/.exec(model.sharedModel.getSource()) ?? [];
    return id ?? other?.toLowerCase();
  };

  // forCells calls take once with each code cell of each notebook, including later ones. JupyterLab makes the models of
  // distant cells at once, but not their editors.
  const forCells = (tracker, take) => {
    const taken = new WeakSet();
    tracker?.widgetAdded.connect((_, panel) => {
      const takeAll = (models) => {
        for (const model of models) {
          if (model.type !== 'code' || taken.has(model)) continue;
          taken.add(model);
          take(panel, model);
        }
      };
      const open = () => {
        const cells = panel.content.model?.cells;
        if (!cells) return;
        takeAll(cells);
        cells.changed.connect((_, change) => takeAll(change.newValues));
      };
      open();
      panel.content.modelChanged.connect(open);
    });
  };

  // keepType gives a cell the type that its first line implies. JupyterLab resets every cell to the kernel's language
  // whenever the kernel reports it, so keepType sets the type again.
  const keepType = ({ content: notebook }, model) => {
    const settle = () => {
      if (shaderFile(model.sharedModel.getSource()) !== null) {
        model.mimeType = mime;
      } else if (model.mimeType === mime) {
        model.mimeType = notebook.codeMimetype;
      }
    };
    model.mimeTypeChanged.connect(settle);
    model.contentChanged.connect(settle);
    settle();
  };

  const colours = (language, view, codemirror, notebooks) => ({
    id: 'wgslab:wgsl',
    description: 'WGSL in cells that write a shader, and in files.',
    autoStart: true,
    requires: [codemirror.IEditorLanguageRegistry],
    optional: [notebooks.INotebookTracker],
    activate: (app, languages, tracker) => {
      languages.addLanguage({
        name: 'wgsl', displayName: 'WGSL', mime: [mime, 'text/x-wgsl'], extensions: ['wgsl'], support: support(language, view),
      });
      forCells(tracker, keepType);
    },
  });

  // ours reports whether a kernel is ours: only our kernel's cells are WGSL files. JupyterLab's debugger asks each
  // notebook's kernel for that suffix, even while the debugger is off.
  const ours = (debug, kernel) => debug?.config.getTmpFileParams(kernel?.name ?? '')?.suffix === '.wgsl';

  // Outputs: their height during a run, and whether they are outdated.

  const outputOf = (cell) => cell.node.querySelector('.jp-Cell-outputWrapper');

  // held has a function for each output whose height is kept. It lets go of the output if its cell runs.
  const held = new Set();

  // hold keeps the height of a cell's output until the cell has run. JupyterLab removes the output when a run starts, and
  // would move the page up, and down again for the new output.
  const hold = (cell) => {
    const output = outputOf(cell), { model } = cell;
    if (!output || model.outputs.length === 0) return;
    output.style.minHeight = `${output.getBoundingClientRect().height}px`;
    output.style.marginTop = getComputedStyle(output).marginTop; // JupyterLab drops it with the output
    const letGo = () => {
      model.stateChanged.disconnect(release);
      held.delete(stopped);
      output.style.minHeight = output.style.marginTop = '';
    };
    const stopped = () => { if (model.executionState === 'running') letGo(); };
    held.add(stopped);
    const release = () => {
      if (model.executionState === 'running') return;
      // The last output is in the page after one frame. A run may begin before that, and ends with another change.
      requestAnimationFrame(() => requestAnimationFrame(() => {
        if (model.executionState !== 'running') letGo();
      }));
    };
    model.stateChanged.connect(release);
    Promise.resolve().then(release); // an empty cell doesn't run
  };

  // about says which shader a cell's output is about: {shader, text}, the cell that wrote it and that cell's text.
  const about = new WeakMap();

  // remember records what the output of a cell is about. Most cells neither write nor check a shader.
  const remember = (notebook, model) => {
    const source = model.sharedModel.getSource();
    about.delete(model);
    if (shaderFile(source) !== null) {
      about.set(model, { shader: model, text: source, since: performance.now() });
      return;
    }
    const id = checkedIn(model);
    const writers = [...notebook.model.cells].filter((other) => shaderFile(other.sharedModel.getSource()) === `work/${id}.wgsl`);
    if (writers.length === 0) return;
    const [last] = writers.flatMap((other) => about.get(other) ?? []).sort((a, b) => b.since - a.since);
    // If no such cell has run in this window, assume that the file holds the cell's text.
    about.set(model, last ?? { shader: writers[0], text: writers[0].sharedModel.getSource() });
  };

  // dim dims the outputs of a notebook that are about an earlier text of their shader.
  const dim = (notebook) => {
    for (const cell of notebook.widgets) {
      const output = outputOf(cell), known = about.get(cell.model);
      if (!output) continue;
      const old = known !== undefined && !known.shader.isDisposed && known.shader.sharedModel.getSource() !== known.text;
      if (old === output.hasAttribute('data-outdated')) continue;
      output.toggleAttribute('data-outdated', old);
      output.style.opacity = old ? '.6' : '';
      output.title = old ? 'From before your change' : '';
      output.role = old ? 'group' : null; // assistive technology speaks the title of a group
    }
  };

  const still = (debug, notebooks) => ({
    id: 'wgslab:still',
    description: 'The page stays where it is while a cell runs, and outdated verdicts are dimmed.',
    autoStart: true,
    requires: [notebooks.INotebookTracker],
    optional: [debug.IDebugger],
    activate: (app, tracker, service) => {
      const isOurs = (panel) => ours(service, panel?.sessionContext.session?.kernel);
      // A stop may last long, and its picture is smaller than the verdict before: what it doesn't need would be a hole.
      service?.eventMessage.connect((_, { event }) => {
        if (event === 'stopped') requestAnimationFrame(() => held.forEach((stopped) => stopped()));
      });
      forCells(tracker, (panel, model) => {
        if (model.outputs.length > 0) remember(panel.content, model); // saved with the notebook
        model.contentChanged.connect(() => { if (isOurs(panel)) dim(panel.content); });
      });
      notebooks.NotebookActions.executionScheduled.connect((_, { notebook, cell }) => {
        remember(notebook, cell.model); // even if JupyterLab doesn't know yet whether the kernel is ours
        if (!isOurs(tracker.find((panel) => panel.content === notebook))) return;
        hold(cell);
        dim(notebook);
      });
    },
  });

  // The costs of lines: after a pass, the shader's cell shows beside each line what it moves, as the page's editor does.

  // elementIn returns the first element with an attribute in a cell's outputs, or undefined.
  const elementIn = (outputs, attribute) => {
    for (let i = 0; i < outputs.length; i++) {
      const html = [outputs.get(i).data['text/html'] ?? ''].flat().join('');
      const found = html.includes(attribute) && new DOMParser().parseFromString(html, 'text/html').querySelector(`[${attribute}]`);
      if (found) return found;
    }
    return undefined;
  };

  // heatsIn returns the costs that a check's output holds.
  const heatsIn = (outputs) => JSON.parse(elementIn(outputs, 'data-wgslab-heats')?.dataset.wgslabHeats ?? 'null') ?? [];

  // heatBadges returns a function that shows costs at the right edge of an editor's lines, where they move no code. They are
  // about one text, so a change removes them. An editor gets the field with its first costs.
  const heatBadges = ({ Decoration, EditorView, WidgetType }, { StateEffect, StateField }) => {
    class Heat extends WidgetType {
      constructor(heat) {
        super();
        this.heat = heat;
      }

      toDOM() {
        const { bytes, says, step } = this.heat;
        const shown = document.createElement('span');
        shown.className = `wgslab-heat wgslab-heat-${step}`;
        shown.title = says;
        shown.textContent = bytes;
        const place = document.createElement('span');
        place.className = 'wgslab-heats';
        place.append(shown);
        return place;
      }
    }
    const set = StateEffect.define();
    const heats = StateField.define({
      create: () => Decoration.none,
      update: (old, transaction) => transaction.effects.find((effect) => effect.is(set))?.value ?? (transaction.docChanged ? Decoration.none : old),
      provide: (field) => EditorView.decorations.from(field),
    });
    return (view, costs) => {
      const has = view.state.field(heats, false) !== undefined;
      if (!has && costs.length === 0) return;
      if (!has) view.dispatch({ effects: StateEffect.appendConfig.of(heats) });
      const { doc } = view.state; // the lines are the cell's: the kernel counts the one that names the file
      const badges = costs.filter((c) => c.line <= doc.lines).map((c) => Decoration.widget({ widget: new Heat(c), side: 1 }).range(doc.line(c.line).to));
      view.dispatch({ effects: set.of(Decoration.set(badges)) });
    };
  };

  const styleHeats = () => {
    const style = document.createElement('style');
    // A float without a height takes no room, and stays in sight where a line is longer than the cell.
    style.textContent = `.wgslab-heats { float: right; height: 0; position: sticky; right: 4px; z-index: 1; }
      .wgslab-heat { display: block; padding: 0 6px; border-radius: 3px; font-size: .85em; cursor: help; color: var(--jp-ui-font-color2); background: var(--jp-cell-editor-background); }
      .wgslab-heat-2 { background: color-mix(in srgb, #e69f00 15%, var(--jp-cell-editor-background)); color: var(--jp-ui-font-color1); }
      .wgslab-heat-3 { background: color-mix(in srgb, #e69f00 40%, var(--jp-cell-editor-background)); color: var(--jp-ui-font-color1); }`;
    document.head.append(style);
  };

  const heats = (notebooks, view, state) => ({
    id: 'wgslab:heats',
    description: 'What each line of a right shader moves, beside it.',
    autoStart: true,
    activate: () => {
      styleHeats();
      const show = heatBadges(view, state);
      notebooks.NotebookActions.executed.connect((_, { notebook, cell }) => {
        const known = about.get(cell.model);
        if (known === undefined || known.shader === cell.model || known.shader.isDisposed) return;
        if (known.shader.sharedModel.getSource() !== known.text) return;
        const editor = notebook.widgets.find(({ model }) => model === known.shader)?.editor?.editor;
        if (editor) show(editor, heatsIn(cell.model.outputs)); // a cell far away has none yet
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

  // stayInConsole leaves the keyboard in the debug console after an answer. JupyterLab shows the current line after each
  // answer, moves the focus to the notebook for that, and the next word would be commands to it.
  const stayInConsole = (sources, isOurs) => {
    const find = sources.find.bind(sources);
    sources.find = (asked) => {
      const inConsole = document.activeElement?.closest('.jp-DebugConsole') != null;
      return find({ ...asked, focus: asked.focus && !(inConsole && isOurs()) });
    };
  };

  // moveAfterRestoring lets the debugger move only once JupyterLab has read its state, which it does whenever the notebook
  // becomes the current tab, such as after the console closes. A move in between would leave the panel without variables.
  // It calls then after each reading: only then is it known whose kernel this is, after the page was loaded again.
  const moveAfterRestoring = (service, then) => {
    let restored = Promise.resolve();
    const restore = service.restoreState.bind(service);
    service.restoreState = (...asked) => {
      const restoring = restore(...asked);
      restored = restoring.catch(() => {}).then(then);
      return restoring;
    };
    for (const name of ['continue', 'next', 'stepIn', 'stepOut']) {
      const move = service[name].bind(service);
      service[name] = async () => {
        await restored;
        return move();
      };
    }
  };

  // hideLeftOverlay takes "Paused in Debugger" off the page once nothing is stopped any more. JupyterLab leaves it, over the
  // toolbar, if the run ends while the notebook's tab is being restored, such as after the console closes.
  const hideLeftOverlay = (service) => {
    const hide = () => {
      if (!service.hasStoppedThreads()) document.querySelectorAll('.jp-DebuggerPausedOverlay').forEach((overlay) => overlay.remove());
    };
    service.eventMessage.connect((_, { event }) => {
      if (event === 'continued' || event === 'terminated') setTimeout(hide);
    });
    const restore = service.restoreState.bind(service);
    service.restoreState = async (...asked) => {
      const restored = await restore(...asked);
      setTimeout(hide); // after the notebook's own handlers
      return restored;
    };
  };

  // widen gives the debugger's panel room for its titles beside their buttons, and for the places of the call stack.
  const widen = () => {
    const style = document.createElement('style');
    style.textContent = `.jp-DebuggerSidebar { --jp-sidebar-min-width: 320px; }
      .jp-DebuggerSidebar .lm-AccordionPanel-titleLabel { flex-shrink: 0; }
      .jp-DebuggerCallstackFrame-name { white-space: normal; }
      .jp-DebuggerCallstackFrame-location { white-space: nowrap; }`;
    document.head.append(style);
  };

  // stepping adds what JupyterLab's debugger lacks, for our kernel.
  const stepping = (debug, components, notebooks) => ({
    id: 'wgslab:debugger',
    description: 'A button that steps back, in the debugger of shaders.',
    autoStart: true,
    optional: [debug.IDebugger, debug.IDebuggerSidebar, debug.IDebuggerHandler, notebooks.INotebookTracker, debug.IDebuggerSources],
    activate: (app, service, sidebar, handler, tracker, sources) => {
      if (!service || !sidebar) return;
      const command = 'wgslab:debug-back';
      const isOurs = () => ours(service, service.session?.connection?.kernel);
      if (sources) stayInConsole(sources, isOurs);
      const changed = () => app.commands.notifyCommandChanged(command);
      moveAfterRestoring(service, changed);
      hideLeftOverlay(service);
      widen();
      const { LabIcon, CommandToolbarButton, stepOverIcon } = components;
      app.commands.addCommand(command, {
        label: 'Step Back',
        caption: 'Step Back',
        icon: new LabIcon({ name: command, svgstr: mirrored(stepOverIcon.svgstr) }),
        isVisible: isOurs,
        isEnabled: () => isOurs() && service.hasStoppedThreads(),
        execute: () => service.session.sendRequest('stepBack', { threadId: 1 }),
      });
      // Between a cell's start and its first stop JupyterLab asks for the program's variables, of which a shader's kernel has
      // none, and would put the answer in the place of what the stop shows.
      const show = service.displayDefinedVariables.bind(service);
      service.displayDefinedVariables = async () => { if (!isOurs()) await show(); };
      const answer = answering(service);
      answer();
      service.sessionChanged.connect(answer);
      service.eventMessage.connect(changed);
      service.sessionChanged.connect(changed);
      sidebar.callstack.toolbar.insertAfter('step-out', 'wgslab-back', new CommandToolbarButton({ commands: app.commands, id: command, label: '' }));
      // After Terminate the debugger is on again, but JupyterLab 4.6 forgets to show it: the bug icon and the breakpoints.
      app.commands.commandExecuted.connect(async (_, { id, result }) => {
        if (id !== 'debugger:terminate' || !isOurs()) return;
        await result;
        const panel = tracker?.currentWidget;
        if (panel) await handler?.updateContext(panel, panel.sessionContext);
      });
    },
  });

  // asked sends one message over a comm to a kernel, and returns its answer.
  const asked = (kernel, target, data) => new Promise((resolve, reject) => {
    const comm = kernel.createComm(target);
    comm.onMsg = ({ content }) => resolve(content.data);
    comm.onClose = () => reject(new Error('the kernel does not answer'));
    comm.open(data);
  });

  // formatting adds the command that formats the shader in a cell: in the palette, in the menu of a cell, and by its key.
  const formatting = (apputils, notebooks) => ({
    id: 'wgslab:format',
    description: 'A command that formats the shader in a cell.',
    autoStart: true,
    requires: [notebooks.INotebookTracker],
    optional: [apputils.ICommandPalette],
    activate: (app, tracker, palette) => {
      const command = 'wgslab:format';
      const source = () => tracker.activeCell?.model.sharedModel.getSource() ?? '';
      app.commands.addCommand(command, {
        label: 'Format Shader',
        caption: 'Lay out the shader in this cell as wgslab fmt does',
        isEnabled: () => shaderFile(source()) !== null,
        execute: async () => {
          const { sharedModel } = tracker.activeCell.model, before = sharedModel.getSource();
          const kernel = tracker.currentWidget.sessionContext.session?.kernel;
          const [first] = before.split('\n', 1);
          const { text, problem } = kernel ? await asked(kernel, 'wgslab_format', { text: before.slice(first.length + 1) }).catch(({ message }) => ({ problem: message })) : { problem: 'start the kernel first' };
          if (problem) apputils.Notification.warning(`Not formatted: ${problem}.`, { autoClose: 8000 });
          // A file ends with a newline; a cell's last line needs none.
          else if (sharedModel.getSource() === before) sharedModel.setSource(`${first}\n${text.replace(/\n$/, '')}`);
        },
      });
      tracker.activeCellChanged.connect(() => app.commands.notifyCommandChanged(command));
      app.commands.addKeyBinding({ command, keys: ['Alt Shift F'], selector: '.jp-Notebook .jp-CodeCell' });
      app.contextMenu.addItem({ command, selector: '.jp-Notebook .jp-CodeCell', rank: 4 });
      palette?.addItem({ command, category: 'Notebook Cell Operations' });
    },
  });

  // unfolding opens shaders that are folded because they give away an exercise's idea. The metadata of such a cell names
  // the exercise. Opening it removes the name: a cell that the learner folds again stays folded.
  const unfolding = (notebooks) => ({
    id: 'wgslab:unfold',
    description: 'A folded shader opens once the exercise whose idea it gives away is right.',
    autoStart: true,
    requires: [notebooks.INotebookTracker],
    activate: (app, tracker) => {
      const style = document.createElement('style');
      style.textContent = '[data-wgslab-after]::after { content: attr(data-wgslab-after); margin-left: 1em; color: var(--jp-ui-font-color2); font-family: var(--jp-ui-font-family); }';
      document.head.append(style);
      const after = (model) => model.getMetadata('wgslab')?.after;
      const open = (notebook, passed) => {
        for (const model of notebook.model.cells) {
          if (passed === undefined || after(model) !== passed) continue;
          const jupyter = { ...model.getMetadata('jupyter') };
          delete jupyter.source_hidden;
          if (Object.keys(jupyter).length > 0) model.setMetadata('jupyter', jupyter);
          else model.deleteMetadata('jupyter');
          model.deleteMetadata('wgslab');
        }
      };
      forCells(tracker, ({ content: notebook }, model) => {
        if (elementIn(model.outputs, 'data-wgslab-passed')) open(notebook, checkedIn(model)); // saved with the notebook
        const cell = after(model) && notebook.widgets.find((widget) => widget.model === model);
        cell?.ready.then(() => {
          const bar = cell.node.querySelector('.jp-InputPlaceholder .jp-Placeholder-content');
          if (bar) bar.dataset.wgslabAfter = `Shows the idea of ${after(model)}. Opens once yours is right, or with a click.`;
        });
      });
      notebooks.NotebookActions.executed.connect((_, { notebook, cell, success }) => {
        if (success) open(notebook, checkedIn(cell.model));
      });
    },
  });

  // copied puts a text on the clipboard, also where the browser has no navigator.clipboard: on pages without TLS.
  const copied = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const focused = document.activeElement, field = document.body.appendChild(document.createElement('textarea'));
      field.value = text;
      field.select();
      const done = document.execCommand('copy');
      field.remove();
      focused?.focus();
      if (!done) throw new Error('the browser doesn\'t allow it');
    }
  };

  // tutoring adds a button below a check that failed. It copies what an AI tutor needs; nothing leaves the machine.
  const tutoring = (apputils, notebooks) => ({
    id: 'wgslab:tutor',
    description: 'A button below a failed check that copies the context for an AI tutor.',
    autoStart: true,
    requires: [notebooks.INotebookTracker],
    activate: (app, tracker) => {
      const { Notification } = apputils;
      // JupyterLab cuts what has over 140 letters.
      const refuse = ({ message }) => Notification.warning(`Nothing was copied: ${message}.`, { autoClose: 8000 });
      const tell = async (kernel, exercise) => {
        try {
          if (!kernel) throw new Error('start the kernel first');
          const { text, ask, problem } = await asked(kernel, 'wgslab_tutor', { exercise });
          if (problem) throw new Error(problem);
          const whole = async (more) => {
            await copied(text);
            Notification.success(`Copied: the rules, the task, your code and the verdicts. Paste it to your AI assistant.${more}`, { autoClose: 8000 });
          };
          if (!ask) return await whole(' Or attach one: see wgslab mcp --help.');
          await copied(ask);
          const actions = [{ label: 'Copy the whole text instead', callback: () => whole('').catch(refuse) }];
          Notification.success(`Copied for the tutor attached to your lessons: “${ask}” Paste it there.`, { autoClose: 12000, actions });
        } catch (error) {
          refuse(error);
        }
      };
      const shown = (cell) => cell.node.querySelector('.wgslab-tutor');
      // The button keeps its place during a check, so that the page below doesn't move.
      notebooks.NotebookActions.executionScheduled.connect((_, { cell }) => { if (shown(cell)) shown(cell).style.visibility = 'hidden'; });
      notebooks.NotebookActions.executed.connect((_, { notebook, cell, success }) => {
        const exercise = checkedIn(cell.model);
        const kernel = () => tracker.find((panel) => panel.content === notebook)?.sessionContext.session?.kernel;
        // After a failed cell, Run All reports the cells below it as failed, too. They have no output.
        const ran = cell.model.outputs?.length > 0; // a text has none
        if (success || exercise === undefined || !ran || !kernel()) {
          shown(cell)?.remove();
          return;
        }
        if (shown(cell)) {
          shown(cell).style.visibility = '';
          return;
        }
        const button = document.createElement('button');
        button.type = 'button';
        button.className = 'wgslab-tutor jp-mod-styled jp-mod-minimal';
        button.textContent = 'Ask an AI tutor';
        button.title = 'Copies the task, your code and the last verdicts, for an AI assistant of your choice';
        button.style.cssText = 'align-self: flex-start; margin: 4px 0 8px 76px;';
        button.dataset.lmSuppressShortcuts = 'true'; // Enter presses it, and doesn't open the cell
        button.onclick = () => tell(kernel(), exercise);
        cell.node.append(button);
      });
    },
  });

  // hinting tells the kernel which hints the learner opens: the journal shows them, and a tutor knows.
  const hinting = (notebooks) => ({
    id: 'wgslab:hints',
    description: 'The journal has the hints that were opened.',
    autoStart: true,
    requires: [notebooks.INotebookTracker],
    activate: (app, tracker) => {
      document.addEventListener('toggle', ({ target }) => {
        if (!target.open) return;
        const panel = tracker.find(({ content }) => content.node.contains(target));
        const cell = panel?.content.widgets.find(({ node }) => node.contains(target));
        const [, exercise] = /^(.+)-hints$/.exec(cell?.model.id) ?? [];
        const kernel = panel?.sessionContext.session?.kernel;
        if (!exercise || !kernel) return;
        const hint = [...cell.node.querySelectorAll('details')].indexOf(target) + 1;
        asked(kernel, 'wgslab_hint', { exercise, hint }).catch(() => { /* the hint is open, which is what matters */ });
      }, true);
    },
  });

  const made = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };

  // keeping returns a form for a conversation that the learner had elsewhere. keep takes its text and exercise, and returns
  // what to tell.
  const keeping = (keep, tell) => {
    const field = made('textarea', { rows: 6, ariaLabel: 'The conversation' });
    const exercise = made('input', { ariaLabel: 'Its exercise', placeholder: 'Exercise, if it names none' });
    const button = made('button', { type: 'button', className: 'jp-mod-styled', textContent: 'Keep' });
    button.onclick = async () => {
      try {
        if (!field.value.trim()) throw new Error('paste a conversation first');
        const says = await keep(field.value, exercise.value.trim());
        tell(`${says[0].toUpperCase()}${says.slice(1)}.`);
        field.value = '';
        form.open = false;
      } catch ({ message }) {
        tell(`Nothing was kept: ${message}.`);
      }
    };
    const form = made('details', {}, made('summary', { textContent: 'Keep a conversation with an AI tutor' }),
      made('p', { textContent: 'Paste it as Markdown, with a line such as **You:** or **Assistant:** before each turn. Or drop its file here.' }),
      field, made('div', {}, exercise, button));
    form.ondragover = (event) => event.preventDefault();
    form.ondrop = async (event) => {
      const [file] = event.dataTransfer.files;
      if (!file) return; // a text goes where it is dropped
      event.preventDefault();
      field.value = await file.text();
    };
    form.dataset.lmSuppressShortcuts = 'true';
    return form;
  };

  const styleJournal = () => document.head.append(made('style', {
    textContent: `.wgslab-journal { display: flex; flex-direction: column; background: var(--jp-layout-color1); color: var(--jp-ui-font-color1); font-size: var(--jp-ui-font-size1); }
      .wgslab-journal { --jp-sidebar-min-width: 320px; }
      .wgslab-journal iframe { flex: 1; border: 0; border-top: 1px solid var(--jp-border-color1); }
      .wgslab-journal details, .wgslab-journal > p { margin: 8px 12px; }
      .wgslab-journal summary { cursor: pointer; }
      .wgslab-journal textarea, .wgslab-journal input { box-sizing: border-box; width: 100%; margin: 0 0 6px; background: var(--jp-input-background); color: inherit; border: 1px solid var(--jp-border-color1); }
      .wgslab-journal > p:empty { display: none; }`,
  }));

  // journaling adds the learner's journal to the right side bar: the page of wgslab journal, at the exercise whose check ran
  // last. It is read again after each check, and whenever it comes into sight: a tutor may have spoken meanwhile.
  const journaling = (notebooks, components, widgets) => ({
    id: 'wgslab:journal',
    description: 'The journal in the side bar: your tries, and what you and a tutor said.',
    autoStart: true,
    requires: [notebooks.INotebookTracker],
    activate: (app, tracker) => {
      styleJournal();
      const frame = made('iframe', { title: 'Your journal' });
      frame.sandbox = 'allow-popups'; // it has no scripts
      const status = made('p', { role: 'status' });
      const tell = (words) => { status.textContent = words; };
      let at = '', shown, address;
      const ask = async (data) => {
        const kernel = tracker.currentWidget?.sessionContext.session?.kernel;
        if (!kernel) throw new Error('open a notebook of the course, whose kernel draws the journal');
        const answer = await asked(kernel, 'wgslab_journal', data);
        if (answer.problem) throw new Error(answer.problem);
        const scheme = document.body.dataset.jpThemeLight === 'false' ? 'dark' : 'light';
        const page = answer.page.replace('color-scheme: light dark', `color-scheme: ${scheme}`);
        if (shown === at + page) return answer;
        shown = at + page;
        URL.revokeObjectURL(address);
        address = URL.createObjectURL(new Blob([page], { type: 'text/html' }));
        frame.src = `${address}#${at}`;
        return answer;
      };
      const panel = new widgets.Widget({ node: made('div', {}, keeping(async (text, exercise) => (await ask({ text, exercise })).says, tell), status, frame) });
      const read = async () => {
        if (!panel.isVisible) return;
        try {
          await ask({});
          tell('');
        } catch ({ message }) {
          tell(`The journal can't be shown: ${message}.`);
        }
      };
      panel.id = 'wgslab-journal';
      panel.addClass('wgslab-journal');
      panel.title.caption = 'Journal: your tries, and what you and a tutor said';
      panel.title.icon = new components.LabIcon({ name: 'wgslab:journal', svgstr: journalIcon });
      panel.onAfterShow = read;
      app.shell.add(panel, 'right', { rank: 900, type: 'Journal' });
      tracker.currentChanged.connect(read);
      window.addEventListener('focus', read);
      notebooks.NotebookActions.executed.connect((_, { cell }) => {
        const exercise = checkedIn(cell.model);
        if (exercise === undefined || !(cell.model.outputs?.length > 0)) return; // it didn't run
        at = exercise;
        read();
      });
    },
  });

  const journalIcon = '<svg xmlns="http://www.w3.org/2000/svg" width="16" viewBox="0 0 24 24"><path class="jp-icon3" fill="#616161" d="M5 2h13a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2H5V2zm2 2v16h11V4H7zm2 3h7v2H9V7zm0 4h7v2H9v-2zm0 4h5v2H9v-2z"/></svg>';

  // following shows what a cell prints whose run began before this page: JupyterLab forgets the run when the page is
  // loaded again. The kernel returns what the cell has shown so far; what comes after that, everyone hears.
  const following = (notebooks) => ({
    id: 'wgslab:follow',
    description: 'A cell that runs while the page is loaded again goes on showing its results.',
    autoStart: true,
    requires: [notebooks.INotebookTracker],
    activate: (app, tracker) => {
      // showing returns a function that adds a message about a cell to its outputs.
      const showing = ({ outputs }) => {
        const places = new Map(); // of the outputs that can be updated, by their display id
        return ({ type, content }) => {
          const { transient, ...rest } = content, id = transient?.display_id;
          if (type === 'clear_output') outputs.clear(content.wait);
          else if (type !== 'update_display_data') {
            outputs.add({ output_type: type, ...rest });
            if (id) places.set(id, outputs.length - 1);
          } else if (places.has(id)) outputs.set(places.get(id), { output_type: 'display_data', ...rest });
        };
      };
      const types = ['stream', 'display_data', 'update_display_data', 'execute_result', 'error', 'clear_output'];
      const follow = async (panel, kernel) => {
        const spec = await kernel.spec;
        if (kernel.name !== 'gonb' || !spec?.metadata?.debugger) return; // only ours knows what runs
        let take = () => {}; // the answer contains what came before it
        const hear = (_, { header, parent_header, content }) => take({ type: header.msg_type, of: parent_header.msg_id, content });
        kernel.iopubMessage.connect(hear);
        const end = () => kernel.iopubMessage.disconnect(hear);
        const comm = kernel.createComm('wgslab_running');
        comm.onClose = end;
        comm.onMsg = ({ content: { data } }) => {
          comm.onClose = undefined;
          const model = [...panel.content.model.cells].find(({ id }) => id === data.cell);
          if (!model || model.executionState === 'running') return end();
          const show = showing(model);
          model.outputs.clear();
          data.outputs.forEach(show);
          model.executionState = 'running';
          const scheduled = notebooks.NotebookActions.executionScheduled;
          const again = (_, { cell }) => { if (cell.model === model) stop(); };
          const stop = () => {
            end();
            scheduled.disconnect(again);
          };
          scheduled.connect(again); // JupyterLab shows this run itself
          take = ({ type, of, content }) => {
            if (of !== data.request) return;
            if (types.includes(type)) show({ type, content });
            if (type !== 'status' || content.execution_state !== 'idle') return;
            model.executionState = 'idle';
            model.executionCount = data.count;
            stop();
          };
        };
        comm.open({});
      };
      tracker.widgetAdded.connect(async (_, panel) => {
        await Promise.all([panel.sessionContext.ready, panel.context.ready]);
        const kernel = panel.sessionContext.session?.kernel;
        if (kernel) follow(panel, kernel);
      });
    },
  });

  const extension = async (scope) => {
    const modules = ['@codemirror/language', '@codemirror/state', '@codemirror/view', '@jupyterlab/codemirror', '@jupyterlab/notebook', '@jupyterlab/debugger', '@jupyterlab/ui-components', '@jupyterlab/apputils', '@lumino/widgets'];
    const [language, state, view, codemirror, notebooks, debug, components, apputils, widgets] = await Promise.all(modules.map((m) => shared(scope, m)));
    return [colours(language, view, codemirror, notebooks), still(debug, notebooks), heats(notebooks, view, state), stepping(debug, components, notebooks), formatting(apputils, notebooks), tutoring(apputils, notebooks), hinting(notebooks), journaling(notebooks, components, widgets), unfolding(notebooks), following(notebooks)];
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
