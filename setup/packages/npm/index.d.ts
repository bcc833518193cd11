/** A shader: the path of a file, or its text. */
export type Shader = string | { code: string; name?: string };

/** A part of a shader. Lines and columns count from 1; the end is exclusive. */
export interface Region {
  line: number;
  column: number;
  end_line: number;
  end_column: number;
}

/** What `vet` says about a shader. */
export interface Finding extends Region {
  file: string;
  kind: string;
  code: string;
  severity: 'error' | 'warning' | 'note';
  certainty?: 'certain' | 'likely';
  message: string;
  hint: string;
  related: (Region & { message: string })[];
  fixes: { title: string; edits: (Region & { new: string })[] }[];
}

/** What a run in the simulator found, such as a race. */
export interface RunFinding extends Region {
  kind: string;
  severity: 'error' | 'remark';
  message: string;
  variable: string;
  index: number | null;
  length: number | null;
  workgroup: [number, number, number];
  invocation: [number, number, number];
  /** The other side of a race. */
  other: { line: number; column: number; workgroup: [number, number, number]; invocation: [number, number, number] } | null;
}

export interface Run {
  findings: RunFinding[];
  /** What each binding holds after the run. */
  buffers: { group: number; binding: number; type: string; values: number[]; device?: number[] }[];
  steps: number;
  finished: boolean;
  endless?: boolean;
  /** What the comments `// print: …` show. */
  printed?: { line: number; expressions: string[]; rows: { invocation: [number, number, number]; values: string[] }[] }[];
  device?: string;
}

export interface Options {
  /** The folder in which wgslab works. */
  cwd?: string;
  /** Ends the program. */
  signal?: AbortSignal;
}

export interface SimulateOptions extends Options {
  /** By binding in group 0, or `GROUP.N`: an array, or the notation of `--bind`, such as `f32[64]`. */
  bind?: Record<string, ArrayBufferView | string>;
  workgroups?: number | number[] | string;
  entry?: string;
  /** Several entry points, one after the other: `ENTRY=X,Y,Z`. */
  passes?: string[];
  override?: Record<string, number | boolean>;
  steps?: number;
  engine?: 'simulator' | 'cpu' | 'gpu' | 'auto';
}

export interface TestOptions extends Options {
  /** A regular expression; only tests whose FILE/TEST matches run. */
  run?: string;
  seed?: number | string;
  engine?: 'simulator' | 'cpu' | 'gpu' | 'auto';
  /** Files for reports. */
  junit?: string;
  sarif?: string;
}

export interface Tests {
  passed: number;
  failed: number;
  unreadable: number;
  seed: string;
  tests: {
    file: string;
    test: string;
    outcome: 'passed' | 'failed' | 'unreadable';
    milliseconds: number;
    kind?: string;
    message?: string;
    /** The shader and its most likely place. */
    shader?: string;
    line?: number;
    column?: number;
    /** The whole explanation. */
    text?: string;
  }[];
}

/** Reports problems in a shader, or in files, without running them. */
export function vet(shader: Shader | string[], options?: Options): Promise<Finding[]>;

/** Runs a compute shader in the simulator, which finds races and accesses out of bounds. */
export function simulate(shader: Shader, options?: SimulateOptions): Promise<Run>;

/** Runs the tests in files and folders; without any, those in `cwd`. */
export function test(places?: string | string[], options?: TestOptions): Promise<Tests>;

/** Returns the path of the program for this system. */
export function program(): string;
