package manifest

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/pelletier/go-toml/v2/unstable"
)

// lineOf returns the line of a key or an element in a TOML file: values and N, or variant, 2, files
// and 0. It returns 1 for what the file doesn't have.
func lineOf(text []byte, path ...string) int {
	var parser unstable.Parser
	parser.Reset(text)
	var table []string
	seen := map[string]int{} // tables of each array
	for parser.NextExpression() {
		e := parser.Expression()
		at := -1
		switch e.Kind {
		case unstable.Table:
			table, at = keys(e, seen)
		case unstable.ArrayTable:
			table, at = keys(e, nil)
			table = append(table, strconv.Itoa(seen[table[0]]))
			seen[table[0]]++
		case unstable.KeyValue:
			if found := offsetOf(e, table, path); found >= 0 {
				return lineAt(text, found)
			}
		}
		if at >= 0 && slices.Equal(table, path) {
			return lineAt(text, at)
		}
	}
	return 1
}

func lineAt(text []byte, offset int) int { return 1 + bytes.Count(text[:offset], []byte("\n")) }

// keys returns the keys of a table or of a value, and where they begin. The first one may be an
// array of tables, whose last one is meant.
func keys(e *unstable.Node, arrays map[string]int) (path []string, at int) {
	at = -1
	for all := e.Key(); all.Next(); {
		if at < 0 {
			at = int(all.Node().Raw.Offset)
		}
		path = append(path, string(all.Node().Data))
		if n := arrays[path[0]]; n > 0 && len(path) == 1 {
			path = append(path, strconv.Itoa(n-1))
		}
	}
	return path, at
}

// offsetOf returns where the value with a path is, in a value with a key; -1 if it isn't there.
func offsetOf(e *unstable.Node, above, path []string) int {
	below, at := keys(e, nil)
	below = slices.Concat(above, below)
	if slices.Equal(below, path) {
		return at
	}
	return elementOf(e.Value(), below, path)
}

// elementOf looks for a path in the elements of a value.
func elementOf(value *unstable.Node, above, path []string) int {
	if len(above) >= len(path) || !slices.Equal(above, path[:len(above)]) {
		return -1
	}
	index := 0
	for all := value.Children(); all.Next(); {
		one := all.Node()
		switch {
		case one.Kind == unstable.Comment:
			continue
		case one.Kind == unstable.KeyValue:
			if found := offsetOf(one, above, path); found >= 0 {
				return found
			}
			continue
		}
		element := append(slices.Clone(above), strconv.Itoa(index))
		if slices.Equal(element, path) {
			return int(one.Raw.Offset)
		}
		if found := elementOf(one, element, path); found >= 0 {
			return found
		}
		index++
	}
	return -1
}
