package giveaway

import "slices"

// A tree is an operation with its operands, or a name or number without any.
type tree struct {
	op   string // such as "+", "index", "call max"; "name" or "number" of a leaf
	text string // of a leaf
	kids []*tree
	size int // nodes
}

// commutes lists the operations whose operands may change places.
var commutes = map[string]bool{"+": true, "*": true, "&&": true, "||": true, "&": true, "|": true, "==": true, "!=": true, "call max": true, "call min": true}

// joins lists those of them that may be grouped in any way.
var joins = map[string]bool{"+": true, "*": true, "&&": true, "||": true, "&": true, "|": true}

func leaf(op, text string) *tree { return &tree{op: op, text: text, size: 1} }

// node makes the tree of an operation in its usual form: (a + b) + c is the sum of three, and
// a > b is b < a.
func node(op string, kids ...*tree) *tree {
	switch op {
	case ">":
		return node("<", kids[1], kids[0])
	case ">=":
		return node("<=", kids[1], kids[0])
	case "!":
		switch kids[0].op {
		case "<":
			return node("<=", kids[0].kids[1], kids[0].kids[0])
		case "<=":
			return node("<", kids[0].kids[1], kids[0].kids[0])
		}
	}
	t := &tree{op: op, size: 1}
	for i, kid := range kids {
		switch {
		case !joins[op] || kid.op != op:
			t.kids = append(t.kids, kid)
			t.size += kid.size
			continue
		case i == 0: // it grows: a copy for each operand of a long sum would take minutes
			t.kids = kid.kids
		default:
			t.kids = append(t.kids, kid.kids...)
		}
		t.size += kid.size - 1
	}
	return t
}

// operations counts what a tree does: a sum of three has two.
func (t *tree) operations() int {
	n := 0
	for _, kid := range t.kids {
		n += kid.operations()
	}
	switch {
	case len(t.kids) == 0:
		return 0
	case joins[t.op]:
		return n + len(t.kids) - 1
	}
	return n + 1
}

// equals reports whether two trees do the same with other names.
func (t *tree) equals(other *tree) bool {
	return t.size == other.size && matches([]*tree{t}, []*tree{other}, &renaming{map[string]string{}, map[string]string{}})
}

// A renaming gives each name of one tree a name of another one.
type renaming struct{ to, from map[string]string }

func (r *renaming) clone() *renaming {
	c := &renaming{map[string]string{}, map[string]string{}}
	for k, v := range r.to {
		c.to[k], c.from[v] = v, k
	}
	return c
}

// add reports whether a may stand for b.
func (r *renaming) add(a, b string) bool {
	known, ok := r.to[a]
	back, taken := r.from[b]
	if ok || taken {
		return ok && taken && known == b && back == a
	}
	r.to[a], r.from[b] = b, a
	return true
}

// matches reports whether trees are equal pairwise, with one renaming for all.
func matches(a, b []*tree, names *renaming) bool {
	if len(a) != len(b) {
		return false
	}
	if len(a) == 0 {
		return true
	}
	x, y, a, b := a[0], b[0], a[1:], b[1:]
	switch {
	case x.size != y.size || x.op != y.op || len(x.kids) != len(y.kids):
		return false
	case x.op == "name":
		return names.add(x.text, y.text) && matches(a, b, names)
	case len(x.kids) == 0:
		return x.text == y.text && matches(a, b, names)
	case !commutes[x.op]:
		return matches(slices.Concat(x.kids, a), slices.Concat(y.kids, b), names)
	}
	for i := range y.kids { // the first operand may be any of the other's
		c := names.clone()
		rest := slices.Delete(slices.Clone(y.kids), i, i+1)
		first := []*tree{y.kids[i]}
		left := x.kids[1:]
		if len(left) == 0 {
			return matches(slices.Concat(x.kids, a), slices.Concat(y.kids, b), c)
		}
		if matches(slices.Concat(x.kids[:1], []*tree{bag(x.op, left)}, a), slices.Concat(first, []*tree{bag(x.op, rest)}, b), c) {
			return true
		}
	}
	return false
}

// bag is what is left of a commuting operation's operands.
func bag(op string, kids []*tree) *tree {
	t := &tree{op: op, kids: kids, size: 1}
	for _, kid := range kids {
		t.size += kid.size
	}
	return t
}

// String writes a tree as an expression of calls.
func (t *tree) String() string {
	if len(t.kids) == 0 {
		return t.op[:1] + ":" + t.text
	}
	s := t.op + "("
	for i, kid := range t.kids {
		if i > 0 {
			s += ", "
		}
		s += kid.String()
	}
	return s + ")"
}
