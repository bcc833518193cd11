package prints

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A RecordLayout says what a comment prints, and where its records are.
type RecordLayout struct {
	Print
	Problem string // why the comment shows nothing; "" if it can

	types     []types.Type // of the values
	condition string       // as the shader writes it; "" if there is none
	arguments []string     // of the call in the place of the comment
	writes    bool

	counter     int // the number of its counter, if it writes
	start, size int // of its records, in words
	most        int // records that fit
}

// idWords is how many words of a record hold the id of the invocation.
const idWords = 3

// countedAtMost ends the count of a comment's records, long before it would begin again at 0.
const countedAtMost = 0xf000_0000

const wordBytes = 4

// writing returns the comments that write records.
func (r *Rewritten) writing() (list []*RecordLayout) {
	for i := range r.Comments {
		if l := &r.Comments[i]; l.Problem == "" && l.writes {
			list = append(list, l)
		}
	}
	return list
}

// place gives each comment an equal share of the buffer.
func (r *Rewritten) place(writing []*RecordLayout, room uint64) error {
	share := (int(room/wordBytes) - len(writing)) / len(writing)
	start := len(writing)
	for i, l := range writing {
		l.counter, l.start, l.size = i, start, idWords
		for _, t := range l.types {
			each(t, "", types.ShownScalars, func(*types.Scalar, string) { l.size++ })
		}
		if l.most = share / l.size; l.most < 1 {
			return fmt.Errorf("line %d: there is no room for the records of %d print comments in %d bytes: delete some", l.Line, len(writing), room)
		}
		start += l.most * l.size
	}
	r.Bytes = uint64(start) * wordBytes
	return nil
}

// each calls found with the first scalars of a type, at most so many, and with the path to each:
// .position.x. It returns how many more it could have called it with.
func each(t types.Type, path string, most int, found func(s *types.Scalar, path string)) (left int) {
	var count int
	var part func(i int) (types.Type, string)
	switch t := t.(type) {
	case *types.Scalar:
		if most > 0 {
			found(t, path)
		}
		return most - 1
	case *types.Vector:
		count, part = t.Size, func(i int) (types.Type, string) { return t.Elem, "." + "xyzw"[i:i+1] }
	case *types.Matrix:
		count, part = t.Columns, func(i int) (types.Type, string) { return t.Column(), fmt.Sprintf("[%d]", i) }
	case *types.Array:
		count, part = int(t.Count), func(i int) (types.Type, string) { return t.Elem, fmt.Sprintf("[%d]", i) }
	case *types.Struct:
		count, part = len(t.Members), func(i int) (types.Type, string) { return t.Members[i].Type, "." + t.Members[i].Name }
	}
	for i := 0; i < count && most > 0; i++ {
		inner, step := part(i)
		most = each(inner, path+step, most, found)
	}
	return most
}

// parts returns the types of the parameters for a value. The structures that builtin functions
// return have no name, so their members are passed.
func parts(t types.Type) (list []types.Type, suffixes []string) {
	s, ok := t.(*types.Struct)
	if !ok || s.Decl != nil {
		return []types.Type{t}, []string{""}
	}
	for _, m := range s.Members {
		list, suffixes = append(list, m.Type), append(suffixes, "."+m.Name)
	}
	return list, suffixes
}

// argumentsOf returns what is passed for a value. The parentheses keep a `<` of one argument and a
// `>` of the next apart.
func argumentsOf(v InspectedValue) (list []string) {
	_, suffixes := parts(v.Type)
	for _, suffix := range suffixes {
		list = append(list, "("+v.Text+")"+suffix)
	}
	return list
}

// unnamed reports whether a type is made of structures without a name, other than as a whole.
func unnamed(t types.Type) bool {
	whole := true
	for {
		switch inner := t.(type) {
		case *types.Array:
			t, whole = inner.Elem, false
		case *types.Struct:
			return inner.Decl == nil && !whole
		default:
			return false
		}
	}
}

// parameters returns the parameters of the function that writes a record.
func (l *RecordLayout) parameters(prefix string) string {
	var list []string
	for _, t := range l.types {
		passed, _ := parts(t)
		for _, p := range passed {
			list = append(list, fmt.Sprintf("%sv%d: %s", prefix, len(list), spelled(p)))
		}
	}
	return strings.Join(list, ", ")
}

// words returns the words of a record, as the function computes them from its parameters.
func (l *RecordLayout) words(prefix string) []string {
	list := []string{prefix + "id.x", prefix + "id.y", prefix + "id.z"}
	parameter := 0
	for _, t := range l.types {
		passed, _ := parts(t)
		left := types.ShownScalars
		for _, p := range passed {
			left = each(p, fmt.Sprintf("%sv%d", prefix, parameter), left, func(s *types.Scalar, path string) {
				list = append(list, fmt.Sprintf(bitsOf[s], path))
			})
			parameter++
		}
	}
	return list
}

// bitsOf makes a u32 of a scalar. An f16 is recorded as the f32 of the same value.
var bitsOf = map[*types.Scalar]string{
	types.Bool: "select(0u, 1u, %s)", types.I32: "bitcast<u32>(%s)", types.U32: "%s", types.F32: "bitcast<u32>(%s)", types.F16: "bitcast<u32>(f32(%s))",
}

// spelled returns a type in its long form: a shader may have a vec3f of its own.
func spelled(t types.Type) string {
	switch t := t.(type) {
	case *types.Vector:
		return fmt.Sprintf("vec%d<%s>", t.Size, t.Elem)
	case *types.Matrix:
		return fmt.Sprintf("mat%dx%d<%s>", t.Columns, t.Rows, t.Elem)
	case *types.Array:
		return fmt.Sprintf("array<%s, %d>", spelled(t.Elem), t.Count)
	}
	return t.String()
}

// A WrittenRecord is what an invocation wrote at one visit of a comment.
type WrittenRecord struct {
	Invocation [3]uint32 // global_invocation_id
	words      []byte    // of the values
}

// Read returns a comment's records in the content of the buffer, and how many there would be with
// more room. The records share memory with the content.
func (l *RecordLayout) Read(content []byte) (written []WrittenRecord, total int) {
	if l.Problem != "" || !l.writes {
		return nil, 0
	}
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(content[i*wordBytes:]) }
	total = int(word(l.counter))
	for i := range min(total, l.most) {
		at := l.start + i*l.size
		written = append(written, WrittenRecord{[3]uint32{word(at), word(at + 1), word(at + 2)}, content[(at+idWords)*wordBytes : (at+l.size)*wordBytes]})
	}
	return written, total
}

// ValuesOf returns the values of a record. Scalars after those that a value's String writes are 0.
func (l *RecordLayout) ValuesOf(written WrittenRecord) []types.Value {
	values, words := make([]types.Value, len(l.types)), written.words
	for i, t := range l.types {
		own := 0
		each(t, "", types.ShownScalars, func(*types.Scalar, string) { own += wordBytes })
		values[i], _ = decode(t, words[:own])
		words = words[own:]
	}
	return values
}

// decode returns the value of a type in words, and the words after it.
func decode(t types.Type, words []byte) (types.Value, []byte) {
	v := types.ZeroValue(t)
	if len(words) == 0 {
		return v, nil
	}
	if s, ok := t.(*types.Scalar); ok {
		return types.ScalarValue(s, binary.LittleEndian.Uint32(words)), words[wordBytes:]
	}
	list := make([]types.Value, v.Len())
	for i := range list {
		list[i], words = decode(v.At(i).Type, words)
	}
	return types.CompositeValue(t, list), words
}
