package memtrace

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

// One is the accesses of a single invocation.
type One struct {
	Workgroup, Local int     // numbers
	Touched          []Touch // one for each variable, in the order of Variables
}

// Touch lists the elements of a variable that an invocation touches, in order.
type Touch struct{ Read, Written []int }

// Pick chooses a busy invocation to look at. The choice avoids the corner, where a row and a column
// would look alike. In a one-dimensional dispatch, the invocation is in the second workgroup.
func (t *Trace) Pick() One {
	size := t.Size
	local := min(3, size[0]-1) + min(2, size[1]-1)*size[0]
	group := 0
	if t.Workgroups[1] == 1 && t.Groups() > 1 {
		group = 1
	}
	if one := t.one(group, int(local)); one.works(t) {
		return one
	}
	for _, a := range t.kept {
		if t.Variables[a.Variable].Space == Storage {
			return t.one(int(a.Workgroup), int(a.Invocation))
		}
	}
	return t.one(0, 0)
}

// one collects the accesses of an invocation.
func (t *Trace) one(group, local int) One {
	o := One{group, local, make([]Touch, len(t.Variables))}
	for _, a := range t.kept {
		if int(a.Workgroup) != group || int(a.Invocation) != local {
			continue
		}
		touch, v := &o.Touched[a.Variable], &t.Variables[a.Variable]
		first, last := v.elements(a)
		for e := first; e <= last; e++ {
			if t.kinds[a.Site] != ir.Write {
				touch.Read = append(touch.Read, e)
			}
			if t.kinds[a.Site] != ir.Read {
				touch.Written = append(touch.Written, e)
			}
		}
	}
	for i := range o.Touched {
		for _, elements := range []*[]int{&o.Touched[i].Read, &o.Touched[i].Written} {
			slices.Sort(*elements)
			*elements = slices.Compact(*elements)
		}
	}
	return o
}

func (o One) works(t *Trace) bool {
	for i, touch := range o.Touched {
		if t.Variables[i].Space == Storage && len(touch.Read)+len(touch.Written) > 0 {
			return true
		}
	}
	return false
}

// Name returns the invocation's name: "The invocation at id = (3, 2)".
func (o One) Name(t *Trace) string {
	id := t.globalID(o.Workgroup, o.Local)
	if t.Size[1] == 1 && t.Workgroups[1] == 1 {
		return fmt.Sprintf("Invocation %d of workgroup %d", o.Local, o.Workgroup)
	}
	if t.Size[2] > 1 || t.Workgroups[2] > 1 {
		return fmt.Sprintf("The invocation at id = (%d, %d, %d)", id[0], id[1], id[2])
	}
	return fmt.Sprintf("The invocation at id = (%d, %d)", id[0], id[1])
}

func (t *Trace) globalID(group, local int) [3]int {
	n, s := t.Workgroups, t.Size
	g, l := uint32(group), uint32(local)
	return [3]int{
		int(g%n[0]*s[0] + l%s[0]),
		int(g/n[0]%n[1]*s[1] + l/s[0]%s[1]),
		int(g/n[0]/n[1]*s[2] + l/s[0]/s[1]),
	}
}

// Sentence says what the invocation does: "The invocation at id = (3, 2) reads row 2 of a and
// column 3 of b, and writes element (2, 3) of out."
func (o One) Sentence(t *Trace) string {
	var does []string
	if reads := t.touched(func(i int) []int { return o.Touched[i].Read }); reads != "" {
		does = append(does, "reads "+reads)
	}
	if writes := t.touched(func(i int) []int { return o.Touched[i].Written }); writes != "" {
		does = append(does, "writes "+writes)
	}
	if len(does) == 0 {
		return o.Name(t) + " touches no memory that others can see."
	}
	return o.Name(t) + " " + strings.Join(does, ", and ") + "."
}

// touched lists the elements of all variables except uniforms. If several matrices share the same
// part, it names the part once: "element (2, 3) of out, a_tile and b_tile".
func (t *Trace) touched(elements func(variable int) []int) string {
	var said []string
	names := map[string][]string{} // names of the matrices with each part
	at := map[string]int{}         // the index of each part's text
	for i := range t.Variables {
		v, touched := &t.Variables[i], elements(i)
		if v.Space == Uniform || len(touched) == 0 {
			continue
		}
		part := v.part(touched)
		names[part] = append(names[part], v.Name)
		if part == "" || len(names[part]) == 1 {
			at[part] = len(said)
			said = append(said, v.Plainly(touched))
			continue
		}
		said[at[part]] = part + " of " + english.List(names[part])
	}
	return english.List(said)
}

// Readers returns the invocations that read an element of a buffer, numbered as in WrittenBy, and
// how often each of them does.
func (t *Trace) Readers(v *TracedVariable, element int) map[int]int {
	readers := map[int]int{}
	for _, a := range t.kept {
		if &t.Variables[a.Variable] != v || t.kinds[a.Site] != ir.Read {
			continue
		}
		if first, last := v.elements(a); first <= element && element <= last {
			readers[t.who(a)]++
		}
	}
	return readers
}

// Sample chooses an element of a buffer to look at: row 2, column 3 if a matrix has them, else one
// that the picked invocation reads.
func (t *Trace) Sample(v *TracedVariable) int {
	if c := v.Columns; c > 3 && 2*c+3 < v.Elements && v.Reads.Of[2*c+3] > 0 {
		return 2*c + 3
	}
	for i, touch := range t.Pick().Touched {
		if &t.Variables[i] == v && len(touch.Read) > 0 {
			return touch.Read[len(touch.Read)/2]
		}
	}
	return slices.Index(v.Reads.Of, v.Reads.Max)
}

// Place returns an invocation's x and y among those of all workgroups; layers in z are stacked
// below each other.
func (t *Trace) Place(who int) (x, y int) {
	id := t.globalID(who/t.Invocations(), who%t.Invocations())
	return id[0], id[1] + id[2]*int(t.Workgroups[1]*t.Size[1])
}
