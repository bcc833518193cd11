// This file makes print comments work on a device. It rewrites a shader so that each comment
// appends records to a storage buffer, and reads the records from the bytes of the buffer:
//
//	rewritten, err := record.Rewrite(pipeline, record.Room{…})
//	…                                   // run rewritten.Text with one more buffer, all zero
//	for _, c := range rewritten.Comments {
//		written, total := c.Read(content)
//	}
//
// A record holds global_invocation_id and the bits of the values. Each comment counts its records,
// also those that no longer fit. The records of an invocation are in the order in which it wrote
// them, because its changes of one atomic are ordered.
//
// The new text is plain WGSL, which the compilers of wgpu-native and of browsers accept. Every line
// keeps its number.

package prints

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Room is what a device has for the records.
type Room struct {
	Bytes          uint64 // of the buffer with the records
	StorageBuffers int    // that an entry point may use, this one included
}

// A Rewritten is a shader whose print comments write records.
type Rewritten struct {
	Text     string
	Binding  uint32         // of the added buffer, in @group(0)
	Bytes    uint64         // of the added buffer; 0 if no comment writes, and then there is none
	Comments []RecordLayout // in source order
}

// Rewrite rewrites the shader of a pipeline. Overrides become constants with the values that they
// have there. It returns an error if the device has no room, or if the shader redefines a word of
// WGSL that the new code needs.
func Rewrite(p *types.Pipeline, room Room) (*Rewritten, error) {
	w := &rewriter{pipeline: p, info: p.Info, text: p.Info.File.Source.Text, harms: map[*types.Function]string{}}
	w.prefix = freePrefix(w.text)
	w.constants()
	made := &Rewritten{Comments: w.layouts()}
	if writing := made.writing(); len(writing) > 0 {
		if err := w.validate(room); err != nil {
			return nil, err
		}
		if err := made.place(writing, room.Bytes); err != nil {
			return nil, err
		}
		made.Binding = w.freeBinding()
		w.print(writing)
		w.declare(made, writing)
		w.keepID()
	}
	var err error
	made.Text, err = findings.Apply(w.text, w.edits)
	return made, err
}

// A rewriter collects the edits of a shader.
type rewriter struct {
	pipeline *types.Pipeline
	info     *types.Info
	text     string
	prefix   string // of every name that is added
	edits    []findings.Edit
	harms    map[*types.Function]string // why a print may not call a function; "" if it may
}

func (w *rewriter) replace(at syntax.Span, format string, values ...any) {
	w.edits = append(w.edits, findings.Edit{Span: at, New: fmt.Sprintf(format, values...)})
}

func (w *rewriter) insert(at int32, format string, values ...any) {
	w.replace(syntax.Span{Start: at, End: at}, format, values...)
}

// freePrefix returns a start of names with which no name in a shader starts.
func freePrefix(text string) string {
	prefix := "print_"
	for n := 2; strings.Contains(text, prefix); n++ {
		prefix = fmt.Sprintf("print%d_", n)
	}
	return prefix
}

// constants replaces the overrides by constants, as an engine may have no values for them. One that
// the entry point doesn't use may have no value either: 1 is good for any use.
func (w *rewriter) constants() {
	for _, o := range w.info.Overrides {
		value := o.Type.String() + "(1)"
		if v := w.pipeline.Overrides[o]; v.Valid() {
			value = v.String()
		}
		at := o.Decl.Span()
		lines := strings.Count(w.text[at.Start:at.End], "\n")
		w.replace(at, "const %s: %s = %s;%s", o.Name, o.Type, value, strings.Repeat("\n", lines))
	}
}

// validate returns an error if the records can't be written.
func (w *rewriter) validate(room Room) error {
	entry, used := w.pipeline.Entry, 0
	for _, o := range entry.Resources {
		if o.Space() == types.SpaceStorage {
			used++
		}
	}
	if used >= room.StorageBuffers {
		return fmt.Errorf("print comments need a storage buffer of their own, but `%s` uses %d and the device allows %d: let it use one less",
			entry.Object.Name, used, room.StorageBuffers)
	}
	for _, o := range w.info.Scopes[0].Objects {
		if slices.Contains(needed, o.Name) {
			return fmt.Errorf("line %d: the shader declares `%s` itself, but the code for print comments needs WGSL's: use another name",
				w.info.File.Source.Position(o.Span().Start).Line, o.Name)
		}
	}
	return nil
}

// needed lists the predeclared names that the added code uses.
var needed = []string{
	"bool", "i32", "u32", "f32", "f16", "vec2", "vec3", "vec4", "mat2x2", "mat2x3", "mat2x4", "mat3x2", "mat3x3", "mat3x4", "mat4x2",
	"mat4x3", "mat4x4", "array", "atomic", "atomicAdd", "atomicLoad", "bitcast", "select",
}

// freeBinding returns the first free number in @group(0): a further group might be one too many.
func (w *rewriter) freeBinding() (number uint32) {
	taken := map[uint32]bool{}
	for _, o := range w.info.Globals {
		if o.Group != nil && *o.Group == 0 && o.Binding != nil {
			taken[*o.Binding] = true
		}
	}
	for taken[number] {
		number++
	}
	return number
}

// print puts a call in the place of each comment.
func (w *rewriter) print(writing []*RecordLayout) {
	for _, l := range writing {
		call := fmt.Sprintf("%s%d(%s);", w.prefix, l.counter, strings.Join(l.arguments, ", "))
		if l.condition != "" {
			call = fmt.Sprintf("if (%s) { %s }", l.condition, call)
		}
		w.replace(l.Span, "%s", call)
	}
}

// keepID makes the entry point keep global_invocation_id, which the functions that it calls need.
func (w *rewriter) keepID() {
	const builtin = "global_invocation_id"
	entry := w.pipeline.Entry
	id := w.prefix + "input"
	i := slices.IndexFunc(entry.Inputs, func(in types.IOVar) bool { return in.Builtin == builtin })
	switch {
	case i >= 0 && entry.Inputs[i].Member != nil:
		id = entry.Inputs[i].Param.Name + "." + entry.Inputs[i].Member.Name
	case i >= 0:
		id = entry.Inputs[i].Param.Name
	case len(entry.Decl.Params) > 0:
		w.insert(entry.Decl.Params[0].Span().Start, "@builtin(%s) %s: vec3<u32>, ", builtin, id)
	default:
		w.insert(w.parenthesis(entry.Decl), "@builtin(%s) %s: vec3<u32>", builtin, id)
	}
	w.insert(entry.Decl.Body.Open.End, " %sid = %s;", w.prefix, id)
}

// parenthesis returns the offset after the parenthesis that begins a function's parameters.
func (w *rewriter) parenthesis(f *syntax.FuncDecl) int32 {
	at := f.Name.Span().End
	for w.text[at] != '(' {
		at++
		for _, c := range w.info.File.Comments {
			if c.Span.Start == at {
				at = c.Span.End
			}
		}
	}
	return at + 1
}

// declare adds the buffer, and a function for each comment.
func (w *rewriter) declare(made *Rewritten, writing []*RecordLayout) {
	var code strings.Builder
	line := func(format string, values ...any) {
		fmt.Fprintf(&code, strings.ReplaceAll(format, "$", w.prefix)+"\n", values...)
	}
	line("\nstruct $buffer { counts: array<atomic<u32>, %d>, words: array<u32> }", len(writing))
	line("@group(0) @binding(%d) var<storage, read_write> $out: $buffer;", made.Binding)
	line("var<private> $id: vec3<u32>;")
	for _, l := range writing {
		line("fn $%d(%s) {", l.counter, l.parameters(w.prefix))
		line("    if (atomicLoad(&$out.counts[%d]) >= %du) { return; }", l.counter, countedAtMost)
		line("    let $row = atomicAdd(&$out.counts[%d], 1u);", l.counter)
		line("    if ($row >= %du) { return; }", l.most)
		line("    let $at = %du + $row * %du;", l.start-len(writing), l.size)
		for i, word := range l.words(w.prefix) {
			line("    $out.words[$at + %du] = %s;", i, word)
		}
		line("}")
	}
	w.insert(int32(len(w.text)), "%s", code.String())
}
