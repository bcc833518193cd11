package analysis

import "github.com/wgslab/wgslab/internal/wgsl/syntax"

// nodeID is a node of a function's uniformity graph: a point of the control flow, or a value. The
// analysis asks whether it is uniform. An edge from a to b means that a is uniform only if b is.
type nodeID int32

const (
	none    nodeID = -1
	nonUni  nodeID = 0 // MayBeNonUniform: a node that reaches it is not known to be uniform
	cfStart nodeID = 1 // the control flow when the function is called
)

// why says what a node is, for the explanation.
type why uint8

const (
	whyNothing   why = iota // a step that needs no explanation
	whyBranch               // control flow that a condition decides
	whyLeave                // control flow after a statement that some invocations may have left early
	whyAssigned             // the value of a variable after a statement
	whyBuiltin              // a builtin value that differs between invocations
	whyInput                // an input from the stage before
	whyMemory               // memory that invocations may see with different contents
	whyCall                 // the value of a call that may differ between invocations
	whyPointer              // what a call may have written through a pointer
	whyParameter            // a parameter of the function
	whyValue                // a declared value
)

// node is the graph's record of a node: a reason and its place.
type node struct {
	at   syntax.Span
	name string // of a variable, parameter or function
	why  why
}

type edge struct{ from, to nodeID }

// graph is the uniformity graph of one function in one scope.
type graph struct {
	nodes []node
	edges []edge
}

// maxEdges limits the size of a function's graph. Shaders written by people stay far below it: it
// takes thousands of variables that change in a loop with thousands of exits.
const maxEdges = 4 << 20

// full reports whether the graph has grown too large to go on.
func (g *graph) full() bool { return len(g.edges) >= maxEdges }

func (g *graph) add(why why, at syntax.Span, name string) nodeID {
	g.nodes = append(g.nodes, node{at, name, why})
	return nodeID(len(g.nodes) - 1)
}

func (g *graph) edge(from nodeID, to ...nodeID) {
	for _, t := range to {
		if t != none && t != from {
			g.edges = append(g.edges, edge{from, t})
		}
	}
}

// adjacency holds the edges sorted by one of their ends.
type adjacency struct {
	first []int32 // of each node's edges, and one more at the end
	other []nodeID
}

func (g *graph) adjacency(reverse bool) adjacency {
	a := adjacency{make([]int32, len(g.nodes)+1), make([]nodeID, len(g.edges))}
	ends := func(e edge) (nodeID, nodeID) {
		if reverse {
			return e.to, e.from
		}
		return e.from, e.to
	}
	for _, e := range g.edges {
		from, _ := ends(e)
		a.first[from+1]++
	}
	for i := 1; i < len(a.first); i++ {
		a.first[i] += a.first[i-1]
	}
	at := append([]int32(nil), a.first...)
	for _, e := range g.edges {
		from, to := ends(e)
		a.other[at[from]] = to
		at[from]++
	}
	return a
}

// reach searches breadth-first from the start nodes. For each reached node, the result has the node
// before it on the path (a start has itself); the others have none.
func (a adjacency) reach(start ...nodeID) []nodeID {
	from := make([]nodeID, len(a.first)-1)
	for i := range from {
		from[i] = none
	}
	queue := make([]nodeID, 0, 64)
	for _, s := range start {
		if from[s] == none {
			from[s] = s
			queue = append(queue, s)
		}
	}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for _, m := range a.other[a.first[n]:a.first[n+1]] {
			if from[m] == none {
				from[m] = n
				queue = append(queue, m)
			}
		}
	}
	return from
}
