// The rules for the project's scripts: those that find mistakes. How a line looks is left to its writer.
const { defineConfig } = require('eslint/config');
const js = require('@eslint/js');
const globals = require('globals');

// known names what other scripts define for these ones.
const known = (...names) => ({ globals: Object.fromEntries(names.map((name) => [name, 'readonly'])) });

module.exports = defineConfig([
  js.configs.recommended,
  {
    languageOptions: { globals: { ...globals.browser, ...globals.worker, ...globals.serviceworker } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: { eqeqeq: ['error', 'always', { null: 'ignore' }], 'no-var': 'error', 'prefer-const': 'error' },
  },
  // Classic scripts share their top level with the scripts beside them.
  {
    files: ['internal/fronts/page/assets/{files,gpu,program}.js', 'internal/wgsl/assist/language.js', 'acceptance/engines/probes.js', 'pkg/wgpu/testdata/differences/programs.js'],
    languageOptions: { sourceType: 'script' },
    rules: { 'no-unused-vars': ['error', { vars: 'local' }] },
  },
  { files: ['internal/fronts/page/assets/*.js'], languageOptions: known('Files', 'Go', 'run') },
  { files: ['internal/fronts/page/assets/{files,program}.js'], rules: { 'no-redeclare': ['error', { builtinGlobals: false }] } },
  { files: ['internal/fronts/notebook/labextension/extension.js'], languageOptions: known('parser', 'fold') },
  { files: ['internal/course/host/script/javascript/worker.js'], languageOptions: known('wgslabNative') },
  { files: ['acceptance/internal/lab/*.js'], languageOptions: known('acceptance', 'debugging') },
  // The learner's functions: skeletons declare what the learner assigns.
  {
    files: ['exercises/*/{reference,skeleton}.js'],
    languageOptions: { sourceType: 'script', ...known('GPUBufferUsage', 'GPUMapMode') },
    rules: { 'no-unused-vars': 'off', 'no-unassigned-vars': 'off' },
  },
  { files: ['editors/vscode/*.js', 'editors/vscode/browser/client.js'], languageOptions: { sourceType: 'commonjs', globals: globals.node } },
  { files: ['**/*.mjs', 'setup/packages/npm/*.js'], languageOptions: { globals: globals.node } },
]);
