package judge

import (
	"github.com/wgslab/wgslab/internal/judge/verdict"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// A compilerLesson is what the check tells a learner about a mistake found before the shader ran.
// It adds to the message about the place in the source.
type compilerLesson struct {
	slug  string          // the diagnosis
	codes []findings.Kind // the kinds from the front end or an engine's compiler; the slug is one of them
	why   string
	ask   string
	stage verdict.CheckStage // StageCompile if left out
}

var compilerLessons = []compilerLesson{
	{
		slug: "divergent-barrier", codes: []findings.Kind{findings.NonUniformControlFlow},
		why: "A barrier waits until every invocation of the workgroup has reached it. If some skip it, because of a branch or a loop that depends on their own number or because they returned earlier, the others would wait forever. WGSL forbids this, and browsers reject the shader.",
		ask: "Which invocations reach this line? How can the others reach it as well, even if they have nothing to do?",
	},
	{
		slug: "beyond-f32", codes: []findings.Kind{"const-range", "number-out-of-range"},
		why: "A number in a shader has to fit its type. The largest f32 is 3.40282346638528859811704183484516925e+38. Written with fewer digits, it is easily rounded up, and then it is too large.",
		ask: "Does it have to be the smallest number of all, or can you start with one of the elements?",
	},
	{
		slug: "needs-parentheses", codes: []findings.Kind{"mixed-operators", "comparison-chain"},
		why: "Other languages give these operators a precedence, each a little differently. WGSL doesn't: your parentheses say what comes first.",
		ask: "Which of the two should come first?",
	},
	{
		slug: verdict.DidNotFinish, codes: []findings.Kind{"endless-loop"}, stage: verdict.StageRun,
		why: "An invocation that never ends blocks its whole workgroup and the device. WGSL forbids a loop that nothing can leave.",
		ask: "What has to become true for the loop to end, and which line makes it true?",
	},
	{
		slug: string(findings.EngineRefuses),
		why:  "Not every compiler supports all of WGSL. Below is what this one says, in its own words.",
	},
	{
		slug: "missing-return",
		why:  "A function with a return type has to return a value on every path.",
		ask:  "Which path through the function ends without a `return`?",
	},
	{
		slug: "not-text", codes: []findings.Kind{"nul", "not-utf-8"},
		why: "The file contains bytes that aren't text. Is it really the shader?",
	},
	{
		slug: "missing-builtin", codes: []findings.Kind{"missing-input", "missing-io"},
		why: "A builtin such as global_invocation_id isn't a global variable. Your entry point has to declare it as a parameter with a @builtin attribute; then you can use the parameter's name.",
	},
	{
		slug: "unknown-builtin",
		why:  "WGSL has no builtin with this name. A compute shader has global_invocation_id, local_invocation_id, local_invocation_index, workgroup_id and num_workgroups.",
	},
	{
		slug: "builtin-type",
		why:  "Each builtin has a fixed type. The ids and num_workgroups are vec3<u32>: three numbers, for x, y and z. Only local_invocation_index is a single u32.",
	},
	{
		slug: "unknown-name", codes: []findings.Kind{"foreign-word", "foreign-function", "path"},
		why: "You can use a name that your shader declares, in this block or around it, or one that WGSL has built in. Names from other languages don't exist here.",
	},
	{
		slug: "unknown-type", codes: []findings.Kind{"foreign-type", "not-a-type"},
		why: "WGSL's number types are f32, u32 and i32, with vectors such as vec2f, vec3f, vec4f and vec3u. There is no int, float, double or uint.",
	},
	{
		slug: "missing-type",
		why:  "A variable gets its type from its initial value, or from the type that follows its name and a colon. This one has neither.",
	},
	{
		slug: "unknown-member", codes: []findings.Kind{"no-members", "bad-swizzle", "arrow-member"},
		why: "The value before the dot has no member with this name. A vec3 has x, y and z, and a struct has the members that it declares. An array has none; its length is arrayLength(&name).",
	},
	{
		slug: "unknown-member", codes: []findings.Kind{"method"},
		why: "A WGSL function is called by its name alone, with its values in the parentheses.",
	},
	{
		slug: "reserved-word", codes: []findings.Kind{"keyword-as-name"},
		why: "WGSL reserves many everyday names, such as std, filter, target and active. Choose another name.",
	},
	{
		slug: "declared-twice", codes: []findings.Kind{"redeclared"},
		why: "The same name is declared twice in one block. To change a variable, assign to it without let or var. For a second variable, choose another name.",
	},
	{
		slug: "array-as-value", codes: []findings.Kind{"unsized-value"},
		why: "An array whose length only the host knows can't be copied or passed as a whole. arrayLength needs its address, with an & before the name. Everywhere else, use one element.",
	},
	{
		slug: "array-as-value", codes: []findings.Kind{"address-needed"},
		why: "Such a function works on a place in memory, not on the value in it. The & before a name gives the place.",
	},
	{
		slug: "index-type", codes: []findings.Kind{"bad-index", "two-indices"},
		why: "An index is one whole number. An id with three numbers, x, y and z, can't be an index, and neither can an f32.",
	},
	{
		slug: "out-of-range", codes: []findings.Kind{"index-range"},
		why: "A vec3 has x, y and z, but no w. An array of n elements has the indices 0 to n - 1.",
	},
	{
		slug: "read-only", codes: []findings.Kind{"not-assignable", "let-mut"},
		why: "You can't write here. A var<storage, read> and a uniform are read-only, and a let never changes after its declaration. You can assign only to a var<storage, read_write> or another var.",
	},
	{
		slug: "return-type", codes: []findings.Kind{"unexpected-result", "missing-result", "missing-arrow", "bad-result"},
		why: "The value that a function returns must have its return type. The return type follows an arrow after the parameters. Without an arrow, the function returns nothing.",
	},
	{
		slug: "arguments", codes: []findings.Kind{"argument-count"},
		why: "A call needs exactly one argument for each parameter, in the same order.",
	},
	{
		slug: "select",
		why:  "select takes the value for false first, the value for true second and the condition last. The two values need the same type.",
	},
	{
		slug: "condition",
		why:  "if, while and for need a condition that is true or false. A number is neither: compare it with something.",
	},
	{
		slug: "no-implicit-conversion", codes: []findings.Kind{"bad-operands", "bad-operand", "type-mismatch", "bad-arguments", "bad-argument", "mixed-elements", "bad-element"},
		why: "Each value has one type, and both sides of an operator need the same. A number that you write fits if it looks like the type: 1 for an i32, 1u for a u32, 1.0 for an f32.",
	},
	{
		slug: "ternary",
		why:  "WGSL has no `condition ? a : b`. Use an if, or select, which takes the value for false first, then the value for true, and the condition last.",
	},
	{
		slug: "logical-operator", codes: []findings.Kind{"foreign-operator"},
		why: "WGSL writes && for and, || for or, ! for not.",
	},
	{
		slug: "assignment-in-condition", codes: []findings.Kind{"assignment-in-expression"},
		why: "= assigns a value to a variable; == asks whether two values are equal.",
	},
	{
		slug: "increment-in-expression", codes: []findings.Kind{"prefix-increment"},
		why: "In WGSL, as in Go, i++ is a statement of its own. It has no value, so it can't be part of an expression.",
	},
	{
		slug: "missing-semicolon",
		why:  "Every statement and every declaration ends with a semicolon, even the last one in a block.",
	},
	{
		slug: "missing-braces", codes: []findings.Kind{"else-without-if", "case-without-braces"},
		why: "The body of an if, else, for or while needs braces, even if it is a single statement.",
	},
	{
		slug: "unbalanced", codes: []findings.Kind{"missing-brace", "missing-paren", "missing-bracket", "unexpected-brace", "unclosed-comment"},
		why: "A bracket is opened but never closed, or closed but never opened.",
	},
	{
		slug: "not-a-statement", codes: []findings.Kind{"c-cast", "foreign-declaration", "type-before-name", "no-effect", "missing-statement", "unknown-statement", "comma-statement", "label"},
		why: "A statement declares something (let, var), assigns to something, calls a function, or is an if, for, while or return. A declaration begins with let or var, and an optional type follows the name and a colon. You write a conversion as f32(x).",
	},
	{
		slug: "uniform-alignment", codes: []findings.Kind{"uniform-layout"},
		why: "Uniform structs are laid out in rows of 16 bytes. An array in a uniform needs elements of 16 bytes (vec4), and a vec3 starts at a multiple of 16.",
	},
	{
		slug: "access-mode",
		why:  "A storage buffer is either read or read_write. A uniform has no access mode: it is always read-only.",
	},
	{
		slug: "access-mode", codes: []findings.Kind{"bad-space", "missing-space"}, // about the memory: the message says all
	},
	{
		slug: "same-binding-twice", codes: []findings.Kind{"binding-conflict"},
		why: "Two variables share one @binding number. The host finds a variable by this number, so each needs its own.",
	},
	{
		slug: "missing-binding-attribute", codes: []findings.Kind{"missing-binding"},
		why: "A variable for one of the host's buffers needs both @group and @binding before its var. They say which buffer it is.",
	},
	{
		slug: "no-entry-point", codes: []findings.Kind{"two-stages"},
		why: "The host starts the function named main, and looks for @compute @workgroup_size(…) before it.",
	},
	{
		slug: "workgroup-size", codes: []findings.Kind{"missing-workgroup-size"},
		why: "You choose the workgroup size, within the limits of the device. 64 in one dimension runs everywhere, and so do 8 × 8 and 16 × 16 in two.",
	},
	{
		slug: "workgroup-memory",
		why:  "Workgroup memory is small and fast because it is close to the cores that run the workgroup. Put only what the invocations share there.",
	},
	{
		slug: "recursion",
		why:  "A GPU has no call stack, so a function can't call itself. Use a loop instead.",
	},
	{
		slug: "not-wgsl", codes: []findings.Kind{"statement-outside", "let-outside", "unknown-declaration", "no-preprocessor", "misplaced-declaration"},
		why: "Only declarations go at the top level of a shader: var, const, struct, alias, fn. Put assignments, let and loops inside a function.",
	},
	{
		slug: "syntax", codes: []findings.Kind{"unexpected-token", "missing-expression", "missing-comma", "missing-colon", "missing-name", "missing-assignment", "missing-declaration", "bad-character", "look-alike"},
		why: "The compiler understood everything up to this point, but not what comes next. The mistake is here or just before.",
	},
}

// lessonOf returns the lesson about a kind of mistake. If there is none, the diagnosis is the kind
// itself.
func lessonOf(code findings.Kind) compilerLesson {
	if lesson, ok := lessonsByCode[code]; ok {
		return lesson
	}
	return compilerLesson{slug: string(code), stage: verdict.StageCompile}
}

var lessonsByCode = func() map[findings.Kind]compilerLesson {
	all := map[findings.Kind]compilerLesson{}
	for _, lesson := range compilerLessons {
		if lesson.stage == "" {
			lesson.stage = verdict.StageCompile
		}
		for _, code := range lesson.codes {
			all[code] = lesson
		}
		if _, taken := all[findings.Kind(lesson.slug)]; !taken {
			all[findings.Kind(lesson.slug)] = lesson
		}
	}
	return all
}()
