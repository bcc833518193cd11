package judge

import (
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/verdict"
	"github.com/wgslab/wgslab/internal/wgsl/flow"
)

// A compilerLesson is what a learner is told of a mistake that was found before the
// shader ran, beside the message about this very place.
type compilerLesson struct {
	slug  string        // the diagnosis
	codes []shader.Code // of the front end, or of an engine's compiler: the slug is one of them
	why   string
	ask   string
	stage verdict.Stage // StageCompile where it is left out
}

var compilerLessons = []compilerLesson{
	{
		slug: "divergent-barrier", codes: []shader.Code{flow.NonUniformControlFlow},
		why: "A barrier waits until all invocations of the workgroup have come to it. Inside a branch or a loop that depends on the invocation's own number, or behind a return that some have taken, the others would wait for ever. WGSL forbids it, and a browser refuses the shader.",
		ask: "Which invocations get to this line, and how can the others come by too, even with nothing to do?",
	},
	{
		slug: "beyond-f32", codes: []shader.Code{"const-range", "number-out-of-range"},
		why: "A number in a shader has to fit its type. The largest f32 is 3.40282346638528859811704183484516925e+38: printed with fewer digits it is easily rounded up, and then it is past the end.",
		ask: "Does it have to be the smallest of all numbers, or would one of the elements do to begin with?",
	},
	{
		slug: "needs-parentheses", codes: []shader.Code{"mixed-operators", "comparison-chain"},
		why: "Other languages rank such operators, each a little differently. WGSL does not: it wants parentheses that say what comes first.",
		ask: "Which of the two should come first?",
	},
	{
		slug: verdict.DidNotFinish, codes: []shader.Code{"endless-loop"}, stage: verdict.StageRun,
		why: "An invocation that never ends keeps its whole workgroup, and the device, busy. WGSL forbids a loop that nothing can leave.",
		ask: "What has to become true for the loop to end, and who changes it?",
	},
	{
		slug: string(shader.EngineRefuses),
		why:  "Implementations of WGSL differ in how much of it they take. What this one says stands below, in its own words.",
	},
	{
		slug: "missing-return",
		why:  "A function that promises a value has to give one on every way through it.",
		ask:  "Which way through the function ends without a `return`?",
	},
	{
		slug: "not-text", codes: []shader.Code{"nul", "not-utf-8"},
		why: "The file holds bytes that are no text. Is it really the shader?",
	},
	{
		slug: "missing-builtin", codes: []shader.Code{"missing-input", "missing-io"},
		why: "A builtin such as global_invocation_id is not simply there: the entry point must ask for it, as a parameter with an @builtin attribute. Then the parameter's name can be used.",
	},
	{
		slug: "unknown-builtin",
		why:  "WGSL has no builtin of this name. Those that tell invocations apart are global_invocation_id, local_invocation_id, local_invocation_index, workgroup_id and num_workgroups.",
	},
	{
		slug: "builtin-type",
		why:  "Each builtin has one fixed type. The ids and num_workgroups are vec3<u32>, three numbers for x, y and z; only local_invocation_index is a single u32.",
	},
	{
		slug: "unknown-name", codes: []shader.Code{"foreign-word", "foreign-function", "path"},
		why: "A name stands for something only where it can be seen: what the shader declares before, in this block or around it, and what WGSL itself brings along. Other languages bring other names.",
	},
	{
		slug: "unknown-type", codes: []shader.Code{"foreign-type", "not-a-type"},
		why: "WGSL's number types are f32, u32 and i32, and vectors of them vec2f, vec3f, vec4f, vec3u and so on. There is no int, float, double or uint.",
	},
	{
		slug: "missing-type",
		why:  "A variable gets its type from the value that it starts with, or from what stands behind a colon after its name. This one has neither.",
	},
	{
		slug: "unknown-member", codes: []shader.Code{"no-members", "bad-swizzle", "method", "arrow-member"},
		why: "The value before the point has nothing of this name. A vec3 has x, y and z, a struct the members that it declares; an array has none: arrayLength(&name) is its length.",
	},
	{
		slug: "reserved-word", codes: []shader.Code{"keyword-as-name"},
		why: "WGSL keeps many everyday names for itself, such as std, filter, target or active. Another name will do.",
	},
	{
		slug: "declared-twice", codes: []shader.Code{"redeclared"},
		why: "The same name was declared twice in one block. To change a variable, assign to it without let or var; for another one, take another name.",
	},
	{
		slug: "array-as-value", codes: []shader.Code{"unsized-value", "address-needed"},
		why: "An array whose length only the host knows cannot be copied or passed on as a whole. arrayLength wants its address, with an & before the name; anything else wants one element.",
	},
	{
		slug: "index-type", codes: []shader.Code{"bad-index", "two-indices"},
		why: "An index is one whole number. An id of three numbers, x, y and z, is none, and neither is an f32.",
	},
	{
		slug: "out-of-range", codes: []shader.Code{"index-range"},
		why: "A vec3 has x, y and z, and no w; an array of n elements has the indices 0 to n - 1.",
	},
	{
		slug: "read-only", codes: []shader.Code{"not-assignable", "let-mut"},
		why: "This place cannot be written to. A var<storage, read> and a uniform are for reading, a let never changes after its declaration; only var<storage, read_write> and var can be assigned to.",
	},
	{
		slug: "return-type", codes: []shader.Code{"unexpected-result", "missing-result", "missing-arrow", "bad-result"},
		why: "What a function gives back and what it says it gives back must agree. The type stands behind an arrow after the parameters; without an arrow the function gives nothing back.",
	},
	{
		slug: "arguments", codes: []shader.Code{"argument-count"},
		why: "A function wants exactly as many arguments as it declares parameters, in the same order.",
	},
	{
		slug: "select",
		why:  "select takes the value for false first, the value for true second and the condition last; the two values have the same type.",
	},
	{
		slug: "condition",
		why:  "if, while and for want something that is true or false. A number is neither: compare it with something.",
	},
	{
		slug: "no-implicit-conversion", codes: []shader.Code{"bad-operands", "bad-operand", "type-mismatch", "bad-arguments", "bad-argument", "mixed-elements", "bad-element"},
		why: "WGSL never turns one number type into another by itself. 0 can be any type, but 0u is a u32 and 0.0 a number with a point; a u32 variable is never an f32, and an id of three numbers is never a single one. Write the literal in the wanted type, or convert: f32(x), u32(x).",
	},
	{
		slug: "ternary",
		why:  "WGSL has no `condition ? a : b`. An if does it, or select, which takes the value for false first, then the one for true, and the condition last.",
	},
	{
		slug: "logical-operator", codes: []shader.Code{"foreign-operator"},
		why: "WGSL writes && for and, || for or, ! for not.",
	},
	{
		slug: "assignment-in-condition", codes: []shader.Code{"assignment-in-expression"},
		why: "= gives a value to a variable; == asks whether two are equal.",
	},
	{
		slug: "increment-in-expression", codes: []shader.Code{"prefix-increment"},
		why: "i++ is a statement of its own in WGSL, as in Go: it has no value that could be used in the same breath.",
	},
	{
		slug: "missing-semicolon",
		why:  "Every statement and every declaration ends with a semicolon, also the last one in a block.",
	},
	{
		slug: "missing-braces", codes: []shader.Code{"else-without-if", "case-without-braces"},
		why: "What if, else, for and while guard stands in braces, even when it is a single statement.",
	},
	{
		slug: "unbalanced", codes: []shader.Code{"missing-brace", "missing-paren", "missing-bracket", "unexpected-brace", "unclosed-comment"},
		why: "A bracket is open that nobody closed, or closed that nobody opened.",
	},
	{
		slug: "not-a-statement", codes: []shader.Code{"c-cast", "foreign-declaration", "type-before-name", "no-effect", "missing-statement", "unknown-statement", "comma-statement", "label"},
		why: "A statement declares something (let, var), assigns to something, calls a function or is an if, for, while or return. A declaration begins with let or var; the type, where you want one, comes behind the name and a colon; a conversion is written f32(x).",
	},
	{
		slug: "uniform-alignment", codes: []shader.Code{"uniform-layout"},
		why: "Uniform structs are laid out in rows of 16 bytes: an array in a uniform needs elements of 16 bytes (vec4), and a vec3 starts at a multiple of 16.",
	},
	{
		slug: "access-mode", codes: []shader.Code{"bad-space", "missing-space"},
		why: "A storage buffer is read, or read_write; nothing else. A uniform has no access mode: it is always read.",
	},
	{
		slug: "same-binding-twice", codes: []shader.Code{"binding-conflict"},
		why: "Two variables share one @binding number. The number is how the host finds them: each needs its own.",
	},
	{
		slug: "missing-binding-attribute", codes: []shader.Code{"missing-binding"},
		why: "A buffer of the host needs both @group and @binding before its var: they say which of the host's buffers it is.",
	},
	{
		slug: "no-entry-point", codes: []shader.Code{"two-stages"},
		why: "The host starts the function named main, and looks for @compute @workgroup_size(…) before it.",
	},
	{
		slug: "workgroup-size", codes: []shader.Code{"missing-workgroup-size"},
		why: "The workgroup size is yours to choose, within what the device can run at once. 64 in one dimension, or 8 × 8 and 16 × 16 in two, run everywhere.",
	},
	{
		slug: "workgroup-memory",
		why:  "Workgroup memory is small and fast because it sits next to the processor that runs the workgroup. Only what the invocations share belongs there.",
	},
	{
		slug: "recursion",
		why:  "A GPU has no stack for functions that call themselves. A loop does the same.",
	},
	{
		slug: "not-wgsl", codes: []shader.Code{"statement-outside", "let-outside", "unknown-declaration", "no-preprocessor", "misplaced-declaration"},
		why: "At the top level of a shader stand only declarations: var, const, struct, alias, fn. Assignments, let and loops belong into a function.",
	},
	{
		slug: "syntax", codes: []shader.Code{"unexpected-token", "missing-expression", "missing-comma", "missing-colon", "missing-name", "missing-assignment", "missing-declaration", "bad-character", "look-alike"},
		why: "The compiler read up to this place and did not understand what comes next. The mistake is here, or shortly before.",
	},
}

// lessonOf is what is told of a mistake; one that nothing is said about is
// diagnosed by its own code.
func lessonOf(code shader.Code) compilerLesson {
	if lesson, ok := lessonsByCode[code]; ok {
		return lesson
	}
	return compilerLesson{slug: string(code), stage: verdict.StageCompile}
}

var lessonsByCode = func() map[shader.Code]compilerLesson {
	all := map[shader.Code]compilerLesson{}
	for _, lesson := range compilerLessons {
		if lesson.stage == "" {
			lesson.stage = verdict.StageCompile
		}
		for _, code := range lesson.codes {
			all[code] = lesson
		}
		if _, taken := all[shader.Code(lesson.slug)]; !taken {
			all[shader.Code(lesson.slug)] = lesson
		}
	}
	return all
}()
