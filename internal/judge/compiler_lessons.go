package judge

import (
	"maps"
	"slices"

	"github.com/wgslab/wgslab/internal/shader"
)

// A compilerLesson is what a learner is told of a mistake that a compiler found,
// beside the compiler's message.
type compilerLesson struct {
	slug string // the diagnosis
	why  string
}

// lessons are by the code of the mistake, whichever engine's compiler found it.
var lessons = map[shader.Code]compilerLesson{
	shader.NotText: {"not-text",
		"The file holds bytes that are no text. Is it really the shader?"},
	"missing-builtin": {"missing-builtin",
		"A builtin such as global_invocation_id is not simply there: the entry point must ask for it, as a parameter with an @builtin attribute. Then the parameter's name can be used."},
	"unknown-builtin": {"unknown-builtin",
		"WGSL has no builtin of this name. Those that tell invocations apart are global_invocation_id, local_invocation_id, local_invocation_index, workgroup_id and num_workgroups."},
	"builtin-type": {"builtin-type",
		"Each builtin has one fixed type. The ids and num_workgroups are vec3<u32>, three numbers for x, y and z; only local_invocation_index is a single u32."},
	"unknown-name": {"unknown-name",
		"The compiler knows no variable, function or type of this name. Is it spelt as where it was declared, and declared where it can be seen from here?"},
	"unknown-type": {"unknown-type",
		"WGSL's number types are called f32, u32 and i32. There is no int, float, double or uint."},
	"missing-type": {"missing-type",
		"A variable gets its type from the value that it starts with, or from what stands behind a colon after its name. This one has neither."},
	"unknown-member": {"unknown-member",
		"The value before the point has nothing of this name. A vec3 has x, y and z, a struct the members that it declares; an array has none: arrayLength(&name) is its length."},
	"reserved-word": {"reserved-word",
		"WGSL keeps many everyday names for itself, such as std, filter, target or active. Another name will do."},
	"declared-twice": {"declared-twice",
		"The same name was declared twice in one block. To change a variable, assign to it without let or var; for another one, take another name."},
	"array-as-value": {"array-as-value",
		"An array whose length only the host knows cannot be copied or passed on as a whole. arrayLength wants its address, with an & before the name; anything else wants one element."},
	"index-type": {"index-type",
		"An index is one whole number. An id of three numbers, x, y and z, is none, and neither is an f32."},
	"out-of-range": {"out-of-range",
		"A vec3 has x, y and z, and no w; an array of n elements has the indices 0 to n - 1."},
	"read-only": {"read-only",
		"This place cannot be written to. A var<storage, read> and a uniform are for reading, a let never changes after its declaration; only var<storage, read_write> and var can be assigned to."},
	"no-implicit-conversion-when-stored": {"no-implicit-conversion",
		"A value goes into a place of another type. The compiler points at where the value comes from; look further down, where it is stored. WGSL never turns one number type into another by itself: f32(x) and u32(x) do."},
	"return-type": {"return-type",
		"What a function gives back and what it says it gives back must agree. The type stands behind an arrow after the parameters; without an arrow the function gives nothing back."},
	"arguments": {"arguments",
		"A function wants exactly as many arguments as it declares parameters, in the same order."},
	"select": {"select",
		"select takes the value for false first, the value for true second and the condition last; the two values have the same type."},
	"condition": {"condition",
		"if, while and for want something that is true or false. A number is neither: compare it with something."},
	"no-implicit-conversion": {"no-implicit-conversion",
		"WGSL never turns one number type into another by itself. 0 can be any type, but 0u is a u32 and 0.0 a number with a point; a u32 variable is never an f32, and an id of three numbers is never a single one. Write the literal in the wanted type, or convert: f32(x), u32(x)."},
	"ternary": {"ternary",
		"WGSL has no `condition ? a : b`. An if does it, or select, which takes the value for false first, then the one for true, and the condition last."},
	"logical-operator": {"logical-operator",
		"WGSL writes && for and, || for or, ! for not."},
	"assignment-in-condition": {"assignment-in-condition",
		"= gives a value to a variable; == asks whether two are equal."},
	"increment-in-expression": {"increment-in-expression",
		"i++ is a statement of its own in WGSL, as in Go: it has no value that could be used in the same breath."},
	"missing-semicolon": {"missing-semicolon",
		"Every statement ends with a semicolon. The compiler notices at the next word, so look at the end of the line before, too."},
	"missing-braces": {"missing-braces",
		"What if, else, for and while guard stands in braces, even when it is a single statement."},
	"unbalanced": {"unbalanced",
		"A bracket is open that nobody closed, or closed that nobody opened."},
	"not-a-statement": {"not-a-statement",
		"A statement declares something (let, var), assigns to something, calls a function or is an if, for, while or return. A declaration begins with let or var; the type, where you want one, comes behind the name and a colon; a conversion is written f32(x)."},
	"uniform-alignment": {"uniform-alignment",
		"Uniform structs are laid out in rows of 16 bytes: an array in a uniform needs elements of 16 bytes (vec4), and a vec3 starts at a multiple of 16."},
	"access-mode": {"access-mode",
		"A storage buffer is read, or read_write; nothing else. A uniform has no access mode: it is always read."},
	"same-binding-twice": {"same-binding-twice",
		"Two variables share one @binding number. The number is how the host finds them: each needs its own."},
	"missing-binding-attribute": {"missing-binding-attribute",
		"A buffer of the host needs both @group and @binding before its var: they say which of the host's buffers it is."},
	shader.NoEntryPoint: {"no-entry-point",
		"The host starts the function named main, and looks for @compute @workgroup_size(…) before it."},
	shader.WorkgroupSize: {"workgroup-size",
		"The workgroup size is yours to choose, within what the device can run at once. 64 in one dimension, or 8 × 8 and 16 × 16 in two, run everywhere."},
	shader.WorkgroupMemory: {"workgroup-memory",
		"Workgroup memory is small and fast because it sits next to the processor that runs the workgroup. Only what the invocations share belongs there."},
	"recursion": {"recursion",
		"A GPU has no stack for functions that call themselves. A loop does the same."},
	"not-wgsl": {"not-wgsl",
		"At the top level of a shader stand only declarations: var, const, struct, alias, fn. Assignments, let and loops belong into a function."},
	"syntax": {"syntax",
		"The compiler read up to this place and did not understand what comes next. The mistake is here, or shortly before."},
}

// Codes are those of which a learner is told something.
func Codes() []shader.Code { return slices.Sorted(maps.Keys(lessons)) }

// SlugOf is the diagnosis for a compiler's mistake.
func SlugOf(code shader.Code) (slug string, ok bool) {
	lesson, ok := lessons[code]
	return lesson.slug, ok
}
