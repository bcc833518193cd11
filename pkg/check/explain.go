package check

import (
	"regexp"

	"github.com/wgslab/wgslab/pkg/gpu"
)

// An explanation says what a message of the compiler means for a learner.
type explanation struct {
	slug    string
	pattern *regexp.Regexp // on the message, its details and the source line
	why     string
}

// explanations are tried in order; the first that fits is given.
var explanations = []explanation{
	{"not-text", regexp.MustCompile(`NUL: this is no text|found '\x{FFFD}'`),
		"The file holds bytes that are no text. Is it really the shader?"},
	{"missing-builtin", regexp.MustCompile(`no definition in scope for identifier: '(global_invocation_id|local_invocation_id|local_invocation_index|workgroup_id|num_workgroups|id|gid|lid|wid)'`),
		"A builtin such as global_invocation_id is not simply there: the entry point must ask for it, as a parameter with an @builtin attribute. Then the parameter's name can be used."},
	{"unknown-name", regexp.MustCompile(`no definition in scope for identifier|unknown identifier`),
		"The compiler knows no variable, function or type of this name. Is it spelt as where it was declared, and declared where it can be seen from here?"},
	{"reserved-word", regexp.MustCompile(`reserved keyword|is a reserved|redeclaring|name .* is reserved`),
		"WGSL keeps many everyday names for itself, such as std, filter, target or active. Another name will do."},
	{"no-implicit-conversion", regexp.MustCompile(`is expected to be|automatic conversions|type mismatch|Operation .* can't work with|cannot (?:convert|be converted)|Unable to apply|invalid types? for|InvalidBinaryOperand|doesn't match the type stored in|the type of .* is expected`),
		"WGSL never turns one number type into another by itself. 0 can be any type, but 0u is a u32 and 0.0 a number with a point; a u32 variable is never an f32. Write the literal in the wanted type, or convert: f32(x), u32(x)."},
	{"read-only", regexp.MustCompile(`writing to this location is not permitted|cannot be assigned|valid destination for a store|left-hand side|not assignable`),
		"This place cannot be written to. A var<storage, read> and a uniform are for reading, a let never changes after its declaration; only var<storage, read_write> and var can be assigned to."},
	{"missing-semicolon", regexp.MustCompile(`expected ';'`),
		"Every statement ends with a semicolon. The compiler notices at the next word, so look at the end of the line before, too."},
	{"uniform-alignment", regexp.MustCompile(`(?i)alignment|AddressSpace.*Uniform|not aligned|stride`),
		"Uniform structs are laid out in rows of 16 bytes: an array in a uniform needs elements of 16 bytes (vec4), and a vec3 starts at a multiple of 16."},
	{"no-entry-point", regexp.MustCompile(`there is no entry point`),
		"The host starts the function named main, and looks for @compute @workgroup_size(…) before it."},
	{"workgroup-size", regexp.MustCompile(`@workgroup_size`),
		"The workgroup size is yours to choose, within what the device can run at once. 64 in one dimension, or 8 × 8 and 16 × 16 in two, run everywhere."},
	{"workgroup-memory", regexp.MustCompile(`var<workgroup> variables take`),
		"Workgroup memory is small and fast because it sits next to the processor that runs the workgroup. Only what the invocations share belongs there."},
	{"unbalanced", regexp.MustCompile(`expected '?[)\]}]'?|found (?:the end|end) of (?:the )?file|unexpected end`),
		"A bracket is open that nobody closed, or closed that nobody opened."},
	{"not-wgsl", regexp.MustCompile(`expected global item`),
		"At the top level of a shader stand only declarations: var, const, struct, alias, fn. Assignments and loops belong into a function."},
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
