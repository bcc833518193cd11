// Finds the program, which is in a package of its own for each system.

import { createRequire } from 'node:module';

const { optionalDependencies } = createRequire(import.meta.url)('./package.json');

// program returns the path of wgslab. The variable WGSLAB_PROGRAM names another one.
export const program = () => {
  if (process.env.WGSLAB_PROGRAM) return process.env.WGSLAB_PROGRAM;
  const system = `${process.platform}-${process.arch}`;
  const name = `@wgslab/${system}`;
  if (!(name in optionalDependencies)) {
    throw new Error(`There is no wgslab for ${system}. Build it with Go and name it in WGSLAB_PROGRAM: go install github.com/wgslab/wgslab/cmd/wgslab@latest`);
  }
  try {
    return createRequire(import.meta.url).resolve(`${name}/wgslab${process.platform === 'win32' ? '.exe' : ''}`);
  } catch {
    throw new Error(`The package ${name} is missing, which has the program. Install again without --omit=optional: npm install wgslab`);
  }
};
