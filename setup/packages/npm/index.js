// The program wgslab for programs in JavaScript: each function starts it and returns what it says.

import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program } from './program.js';

// run returns what a command prints as JSON. Exit code 1 says that a shader is wrong, which is a result.
const run = (args, options = {}) => new Promise((resolve, reject) => {
  const child = spawn(program(), args, { cwd: options.cwd, signal: options.signal, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { out: [], error: [] };
  child.stdout.on('data', (data) => said.out.push(data));
  child.stderr.on('data', (data) => said.error.push(data));
  child.on('error', reject);
  child.on('close', (code) => {
    const text = Buffer.concat(said.out).toString();
    if (text.startsWith('{') || text.startsWith('[')) return resolve(JSON.parse(text));
    const why = Buffer.concat(said.error).toString().trim();
    reject(new Error(why || `wgslab ${args[0]} ended with exit code ${code} and without a result.`));
  });
});

// withFolder calls work with a temporary folder, and removes it afterwards.
const withFolder = async (work) => {
  const folder = await mkdtemp(join(tmpdir(), 'wgslab-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

// fileOf returns the file of a shader, which it writes if the shader is a text.
const fileOf = async (shader, folder) => {
  if (typeof shader === 'string') return shader;
  if (typeof shader?.code !== 'string') throw new TypeError('A shader is the path of a file, or { code } with its text.');
  const file = join(folder, 'shader.wgsl');
  await writeFile(file, shader.code);
  return file;
};

// list returns the option once for each entry.
const list = (option, entries) => entries.flatMap((entry) => [option, entry]);

// bound returns the notation of a binding; the bytes of an array go through a file.
const bound = async ([place, value], folder) => {
  if (!ArrayBuffer.isView(value)) return `${place}=${value}`;
  const file = join(folder, `${place}.bin`);
  await writeFile(file, value);
  return `${place}=@${file}`;
};

// JSON has no such numbers, so the program writes them as texts.
const numbers = { NaN, '+Inf': Infinity, '-Inf': -Infinity };
const number = (value) => numbers[value] ?? value;

export const vet = (shader, options) => withFolder(async (folder) => {
  const files = Array.isArray(shader) ? shader : [await fileOf(shader, folder)];
  const found = await run(['vet', '--json', '--', ...files], options);
  return typeof shader?.code === 'string' ? found.map((finding) => ({ ...finding, file: shader.name ?? 'shader.wgsl' })) : found;
});

export const simulate = (shader, options = {}) => withFolder(async (folder) => {
  const args = ['simulate', '--json'];
  for (const name of ['entry', 'steps', 'engine', 'workgroups']) {
    if (options[name] !== undefined) args.push(`--${name}`, String(options[name]));
  }
  args.push(
    ...list('--bind', await Promise.all(Object.entries(options.bind ?? {}).map((entry) => bound(entry, folder)))),
    ...list('--override', Object.entries(options.override ?? {}).map(([name, value]) => `${name}=${value}`)),
    ...list('--pass', options.passes ?? []),
  );
  const result = await run([...args, '--', await fileOf(shader, folder)], options);
  for (const buffer of result.buffers) {
    for (const name of ['values', 'device']) if (buffer[name]) buffer[name] = buffer[name].map(number);
  }
  return result;
});

export const test = (places = [], options = {}) => {
  const args = ['test', '--json'];
  for (const name of ['run', 'seed', 'engine', 'junit', 'sarif']) {
    if (options[name] !== undefined) args.push(`--${name}`, String(options[name]));
  }
  return run([...args, '--', ...[places].flat()], options);
};

export { program };
