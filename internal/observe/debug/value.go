package debug

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A TreeItem is a name with a value, as a debugger shows it in its tree of variables.
type TreeItem struct {
	Name       string
	Type       string // as WGSL writes it; empty for a range of elements
	Value      string
	Expression string // the expression that gives it in its frame; may be empty
	Children   int    // the number of parts: elements, members, components, or ranges of elements
	Changed    bool   // since the last stop

	parts func() []TreeItem
}

// Parts returns an item's children.
func (it TreeItem) Parts() []TreeItem {
	if it.parts == nil {
		return nil
	}
	return it.parts()
}

// A Scope is a group of variables.
type Scope struct {
	Name  string
	Items []TreeItem
}

// The names of the scopes.
const (
	WatchScope     = "Watched"
	LocalScope     = "Variables"
	InvocationName = "Invocation"
	WorkgroupScope = "Workgroup memory"
	BufferScope    = "Buffers"
	PrivateScope   = "Private"
)

// Scopes returns the watches, the variables visible in a frame of an invocation, and the
// invocation's ids. It leaves out empty groups.
func (s *Session) Scopes(local, frame int) []Scope {
	groups := map[string][]TreeItem{InvocationName: s.identity(local), WatchScope: s.Watched(local, frame)}
	old := s.oldVariables(local, frame)
	for _, v := range s.sim.Variables(local, frame) {
		name := scopeOf(v)
		item := s.variable(v, old)
		if list := groups[name]; name == LocalScope { // an inner variable hides the outer one
			for i := range list {
				if list[i].Name == item.Name {
					groups[name] = append(list[:i:i], list[i+1:]...)
					break
				}
			}
		}
		groups[name] = append(groups[name], item)
	}
	var scopes []Scope
	for _, name := range []string{WatchScope, LocalScope, WorkgroupScope, PrivateScope, BufferScope, InvocationName} {
		if len(groups[name]) > 0 {
			scopes = append(scopes, Scope{name, groups[name]})
		}
	}
	return scopes
}

func scopeOf(v sim.Variable) string {
	switch v.Object.Space() {
	case types.SpaceWorkgroup:
		return WorkgroupScope
	case types.SpaceStorage, types.SpaceUniform:
		return BufferScope
	case types.SpacePrivate:
		return PrivateScope
	}
	return LocalScope
}

// identity lists an invocation's builtin ids (§ 13.3.1.1), even those the shader doesn't ask for.
func (s *Session) identity(local int) []TreeItem {
	id, group, size := s.LocalID(local), s.Workgroup(), s.Target.Program.Pipeline.WorkgroupSize
	var global [3]uint32
	for i := range global {
		global[i] = group[i]*size[i] + id[i]
	}
	vector := func(name string, v [3]uint32) TreeItem {
		return TreeItem{Name: name, Type: "vec3u", Value: fmt.Sprintf("vec3u(%du, %du, %du)", v[0], v[1], v[2])}
	}
	return []TreeItem{
		vector("global_invocation_id", global),
		vector("local_invocation_id", id),
		{Name: "local_invocation_index", Type: "u32", Value: fmt.Sprintf("%du", local)},
		vector("workgroup_id", group),
		vector("num_workgroups", s.Target.Workgroups),
	}
}

// oldVariables returns the variables at the last stop, if the invocation was in the same function.
func (s *Session) oldVariables(local, frame int) map[*types.Object]sim.Variable {
	if s.lastStop == nil || s.lastView != local || s.lastStop.Number() != s.sim.Number() {
		return nil
	}
	now, then := s.sim.Stack(local), s.lastStop.Stack(local)
	back := len(now) - frame // frames are counted from the outermost
	if back > len(then) || frame >= len(now) || then[len(then)-back].Function != now[frame].Function {
		return nil
	}
	old := map[*types.Object]sim.Variable{}
	for _, v := range s.lastStop.Variables(local, len(then)-back) {
		old[v.Object] = v
	}
	return old
}

// A content is a value together with its value at the last stop.
type content struct {
	now, then types.Value // then is not Valid if it is unknown
}

func (c content) changed() bool { return c.then.Valid() && !same(c.now, c.then) }

func (c content) part(i int) content {
	p := content{now: c.now.At(i)}
	if c.then.Valid() && i < c.then.Len() {
		p.then = c.then.At(i)
	}
	return p
}

// same reports whether two values are equal, bit for bit.
func same(a, b types.Value) bool {
	if a.Type != b.Type || a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		if !same(a.At(i), b.At(i)) {
			return false
		}
	}
	return a.Len() > 0 || a.Bits() == b.Bits()
}

func (s *Session) variable(v sim.Variable, old map[*types.Object]sim.Variable) TreeItem {
	name := v.Object.Name
	before, known := old[v.Object]
	if v.Value.Valid() {
		return item(name, name, content{v.Value, before.Value})
	}
	a, ok := v.Object.Store().(*types.Array)
	if !ok { // a structure that ends in a runtime-sized array
		return TreeItem{Name: name, Type: v.Object.Store().String(), Expression: name, Value: fmt.Sprintf("%d elements in its last member", s.sim.Length(v))}
	}
	now, then := s.sim, s.lastStop
	list := sequence{count: s.sim.Length(v), at: func(i int) content {
		c := content{now: now.Element(v, i)}
		if known {
			c.then = then.Element(before, i)
		}
		return c
	}}
	list.changed = func(from, to int) bool { return known && now.Changed(then, v, from, to) }
	return array(name, name, a, list)
}

// A sequence is the elements of an array.
type sequence struct {
	count   int
	at      func(i int) content
	changed func(from, to int) bool // whether any of these elements changed
}

// parts returns the elements of an array value.
func (c content) parts() sequence {
	return sequence{c.now.Len(), c.part, func(from, to int) bool {
		for i := from; i < to; i++ {
			if c.part(i).changed() {
				return true
			}
		}
		return false
	}}
}

// item shows a value.
func item(name, expression string, c content) TreeItem {
	if a, ok := c.now.Type.(*types.Array); ok {
		return array(name, expression, a, c.parts())
	}
	it := TreeItem{Name: name, Type: c.now.Type.String(), Value: c.now.String(), Expression: expression, Children: c.now.Len(), Changed: c.changed()}
	if it.Children > 0 {
		it.parts = func() (list []TreeItem) {
			for i := range c.now.Len() {
				suffix := partName(c.now.Type, i)
				list = append(list, item(strings.TrimPrefix(suffix, "."), expression+suffix, c.part(i)))
			}
			return list
		}
	}
	return it
}

// partName returns the suffix that selects a part: .x, .member, [2].
func partName(t types.Type, i int) string {
	switch t := t.(type) {
	case *types.Vector:
		return "." + "xyzw"[i:i+1]
	case *types.Struct:
		return "." + t.Members[i].Name
	}
	return "[" + strconv.Itoa(i) + "]"
}

// rangeSize is the maximum number of elements, or ranges, shown at once.
const rangeSize = 100

// shownElements is the maximum number of elements on an array's own line.
const shownElements = 8

func array(name, expression string, t *types.Array, list sequence) TreeItem {
	it := TreeItem{Name: name, Type: t.String(), Expression: expression, Children: list.count, Changed: list.changed(0, list.count)}
	var texts []string
	for i := range min(list.count, shownElements) {
		texts = append(texts, list.at(i).now.String())
	}
	if list.count > shownElements {
		texts = append(texts, "…")
	}
	it.Value = t.String() + "(" + strings.Join(texts, ", ") + ")"
	if t.Runtime() {
		it.Value += fmt.Sprintf(" of %d", list.count)
	}
	it.parts = func() []TreeItem { return list.items(expression, 0, list.count) }
	if list.count > rangeSize {
		it.Children = ranges(list.count)
	}
	return it
}

// rangesOf returns the size of each range when count elements are shown; 1 means no ranges.
func rangesOf(count int) (size int) {
	for size = 1; (count+size-1)/size > rangeSize; size *= rangeSize {
	}
	return size
}

// ranges returns the number of ranges, or elements, that count elements are shown as.
func ranges(count int) int { return (count + rangesOf(count) - 1) / rangesOf(count) }

// items returns the elements between two indices, in ranges if there are many.
func (list sequence) items(expression string, from, to int) (items []TreeItem) {
	size := rangesOf(to - from)
	for i := from; i < to; i += size {
		if size == 1 {
			index := "[" + strconv.Itoa(i) + "]"
			items = append(items, item(index, expression+index, list.at(i)))
			continue
		}
		end := min(i+size, to)
		items = append(items, TreeItem{
			Name: fmt.Sprintf("[%d..%d]", i, end-1), Value: fmt.Sprintf("%d elements", end-i), Children: ranges(end - i),
			Changed: list.changed(i, end), parts: func() []TreeItem { return list.items(expression, i, end) },
		})
	}
	return items
}

// Evaluate returns the value of an expression, or of a variable by its name, in a frame of an
// invocation's stack.
func (s *Session) Evaluate(local, frame int, text string) (TreeItem, error) {
	text = strings.TrimSpace(text)
	if v, ok := s.named(local, frame, text); ok {
		return v, nil
	}
	v, outside, err := s.value(local, frame, text)
	if err != nil {
		return TreeItem{}, err
	}
	return withIndex(item(text, "("+text+")", content{now: v}), outside), nil
}

// value evaluates an expression in a frame. outside is an out-of-bounds index in it, or nil.
func (s *Session) value(local, frame int, text string) (v types.Value, outside *uint32, err error) {
	frames := s.sim.Stack(local)
	if frame >= len(frames) {
		return v, nil, fmt.Errorf("there is no frame %d", frame)
	}
	e, err := s.Target.Program.Expression(frames[frame], text)
	if err != nil {
		return v, nil, err
	}
	return s.sim.Evaluate(e, local)
}

// withIndex adds a note about an out-of-bounds index.
func withIndex(it TreeItem, outside *uint32) TreeItem {
	if outside != nil {
		it.Value += fmt.Sprintf(" (the index %d is out of bounds)", int32(*outside))
	}
	return it
}

// named finds the variable of that name that is visible in a frame.
func (s *Session) named(local, frame int, name string) (TreeItem, bool) {
	list := s.sim.Variables(local, frame)
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Object.Name == name {
			return s.variable(list[i], s.oldVariables(local, frame)), true
		}
	}
	return TreeItem{}, false
}
