package check

import (
	"regexp"

	"github.com/wgslab/wgslab/pkg/gpu"
)

// An explanation says what a message of the compiler means for a learner.
type explanation struct {
	slug    string
	pattern *regexp.Regexp // on the compiler's message and its details
	why     string
	// instead replaces a message in the compiler's own terms, such as "Operation
	// Add can't work with [10] and [2]".
	instead string
}

var internal = regexp.MustCompile(`\[\d+\]|^Abstract types`)

// message is the compiler's own words, where a learner can read them.
func (known explanation) message(compilers string) string {
	if known.instead != "" && internal.MatchString(compilers) {
		return known.instead
	}
	return compilers
}

// explanations are tried in order; the first that fits is given. The wording is
// that of naga in wgpu-native 22.
var explanations = []explanation{
	{"not-text", regexp.MustCompile(`NUL: this is no text|found '\x{FFFD}'`),
		"The file holds bytes that are no text. Is it really the shader?", ""},
	{"missing-builtin", regexp.MustCompile(`no definition in scope for identifier: '(global_invocation_id|local_invocation_id|local_invocation_index|workgroup_id|num_workgroups|id|gid|lid|wid)'|arguments and return values must all have bindings`),
		"A builtin such as global_invocation_id is not simply there: the entry point must ask for it, as a parameter with an @builtin attribute. Then the parameter's name can be used.", ""},
	{"unknown-builtin", regexp.MustCompile(`(?i)unknown builtin`),
		"WGSL has no builtin of this name. Those that tell invocations apart are global_invocation_id, local_invocation_id, local_invocation_index, workgroup_id and num_workgroups.", ""},
	{"builtin-type", regexp.MustCompile(`Built-in type for \w+ is invalid`),
		"Each builtin has one fixed type. The ids and num_workgroups are vec3<u32>, three numbers for x, y and z; only local_invocation_index is a single u32.", ""},
	{"unknown-name", regexp.MustCompile(`no definition in scope for identifier|unknown identifier`),
		"The compiler knows no variable, function or type of this name. Is it spelt as where it was declared, and declared where it can be seen from here?", ""},
	{"unknown-type", regexp.MustCompile(`(?i)unknown type`),
		"WGSL's number types are called f32, u32 and i32. There is no int, float, double or uint.", ""},
	{"missing-type", regexp.MustCompile(`needs a type`),
		"A variable gets its type from the value that it starts with, or from what stands behind a colon after its name. This one has neither.", ""},
	{"unknown-member", regexp.MustCompile(`(?i)invalid field accessor`),
		"The value before the point has nothing of this name. A vec3 has x, y and z, a struct the members that it declares; an array has none: arrayLength(&name) is its length.", ""},
	{"reserved-word", regexp.MustCompile(`reserved keyword`),
		"WGSL keeps many everyday names for itself, such as std, filter, target or active. Another name will do.", ""},
	{"declared-twice", regexp.MustCompile(`(?i)redefinition of`),
		"The same name was declared twice in one block. To change a variable, assign to it without let or var; for another one, take another name.", ""},
	{"array-as-value", regexp.MustCompile(`Loading of .* can't be done`),
		"An array whose length only the host knows cannot be copied or passed on as a whole. arrayLength wants its address, with an & before the name; anything else wants one element.",
		"The array cannot be read as a whole"},
	{"index-type", regexp.MustCompile(`Accessing with index .* can't be done`),
		"An index is one whole number. An id of three numbers, x, y and z, is none, and neither is an f32.",
		"This index is no single whole number"},
	{"out-of-range", regexp.MustCompile(`[iI]ndex .* is out of`),
		"A vec3 has x, y and z, and no w; an array of n elements has the indices 0 to n - 1.",
		"There is no such element"},
	{"read-only", regexp.MustCompile(`writing to this location is not permitted|cannot assign|valid destination for a store|left-hand side`),
		"This place cannot be written to. A var<storage, read> and a uniform are for reading, a let never changes after its declaration; only var<storage, read_write> and var can be assigned to.", ""},
	{"no-implicit-conversion", regexp.MustCompile(`doesn't match the type stored in`),
		"A value goes into a place of another type. The compiler points at where the value comes from; look further down, where it is stored. WGSL never turns one number type into another by itself: f32(x) and u32(x) do.",
		"A value goes into a place of another type"},
	{"return-type", regexp.MustCompile("does not return any value|`return` value .* does not match"),
		"What a function gives back and what it says it gives back must agree. The type stands behind an arrow after the parameters; without an arrow the function gives nothing back.",
		"The value that is returned has another type than the function says"},
	{"arguments", regexp.MustCompile(`(?i)requires \d+ arguments?, but`),
		"A function wants exactly as many arguments as it declares parameters, in the same order.", ""},
	{"select", regexp.MustCompile(`Selecting is not possible`),
		"select takes the value for false first, the value for true second and the condition last; the two values have the same type.", ""},
	{"condition", regexp.MustCompile(`condition .* is not a boolean`),
		"if, while and for want something that is true or false. A number is neither: compare it with something.",
		"The condition is neither true nor false"},
	{"no-implicit-conversion", regexp.MustCompile(`is expected to be|[Aa]utomatic conversions|Operation .* can't work with|has an invalid type|Abstract types may only|value .* doesn't match the type`),
		"WGSL never turns one number type into another by itself. 0 can be any type, but 0u is a u32 and 0.0 a number with a point; a u32 variable is never an f32, and an id of three numbers is never a single one. Write the literal in the wanted type, or convert: f32(x), u32(x).",
		"Values of two types meet here that do not go together"},
	{"ternary", regexp.MustCompile(`found '\?'`),
		"WGSL has no `condition ? a : b`. An if does it, or select, which takes the value for false first, then the one for true, and the condition last.", ""},
	{"logical-operator", regexp.MustCompile(`found '(?:and|or|not)'`),
		"WGSL writes && for and, || for or, ! for not.", ""},
	{"assignment-in-condition", regexp.MustCompile(`[eE]xpected '\)', found '='`),
		"= gives a value to a variable; == asks whether two are equal.", ""},
	{"increment-in-expression", regexp.MustCompile(`found '(?:\+\+|--)'`),
		"i++ is a statement of its own in WGSL, as in Go: it has no value that could be used in the same breath.", ""},
	{"missing-semicolon", regexp.MustCompile(`[eE]xpected ';'`),
		"Every statement ends with a semicolon. The compiler notices at the next word, so look at the end of the line before, too.", ""},
	{"missing-braces", regexp.MustCompile(`[eE]xpected '\{'`),
		"What if, else, for and while guard stands in braces, even when it is a single statement.", ""},
	{"unbalanced", regexp.MustCompile(`[eE]xpected '[)\]}]'|found ''(?:$|\n)`),
		"A bracket is open that nobody closed, or closed that nobody opened.", ""},
	{"not-a-statement", regexp.MustCompile(`[eE]xpected assignment or increment/decrement|[eE]xpected '\(', found`),
		"A statement declares something (let, var), assigns to something, calls a function or is an if, for, while or return. A declaration begins with let or var; the type, where you want one, comes behind the name and a colon; a conversion is written f32(x).", ""},
	{"uniform-alignment", regexp.MustCompile(`(?i)alignment requirements|array stride`),
		"Uniform structs are laid out in rows of 16 bytes: an array in a uniform needs elements of 16 bytes (vec4), and a vec3 starts at a multiple of 16.", ""},
	{"access-mode", regexp.MustCompile(`doesn't support write-only access`),
		"A storage buffer is read, or read_write; nothing else. A uniform has no access mode: it is always read.", ""},
	{"same-binding-twice", regexp.MustCompile(`conflict with other resource`),
		"Two variables share one @binding number. The number is how the host finds them: each needs its own.",
		"Two variables have the same @binding number"},
	{"missing-binding-attribute", regexp.MustCompile(`Binding decoration is missing|needs a '(?:group|binding)' attribute`),
		"A buffer of the host needs both @group and @binding before its var: they say which of the host's buffers it is.", ""},
	{"no-entry-point", regexp.MustCompile(`there is no entry point|Functions that are not entry points`),
		"The host starts the function named main, and looks for @compute @workgroup_size(…) before it.", ""},
	{"workgroup-size", regexp.MustCompile(`(?i)@workgroup_size|workgroup size`),
		"The workgroup size is yours to choose, within what the device can run at once. 64 in one dimension, or 8 × 8 and 16 × 16 in two, run everywhere.", ""},
	{"workgroup-memory", regexp.MustCompile(`var<workgroup> variables take`),
		"Workgroup memory is small and fast because it sits next to the processor that runs the workgroup. Only what the invocations share belongs there.", ""},
	{"recursion", regexp.MustCompile(`is recursive`),
		"A GPU has no stack for functions that call themselves. A loop does the same.", ""},
	{"not-wgsl", regexp.MustCompile(`[eE]xpected global item`),
		"At the top level of a shader stand only declarations: var, const, struct, alias, fn. Assignments, let and loops belong into a function.", ""},
	{"syntax", regexp.MustCompile(`^[eE]xpected .*found`),
		"The compiler read up to this place and did not understand what comes next. The mistake is here, or shortly before.", ""},
}

func explain(e *gpu.CompileError) (explanation, bool) {
	text := e.Message + "\n" + e.Detail
	for _, known := range explanations {
		if known.pattern.MatchString(text) {
			return known, true
		}
	}
	return explanation{}, false
}
