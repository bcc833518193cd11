package findings

import (
	_ "embed"
	"strings"
	"sync"
)

// Link returns the address of the specification's section with the rule that a kind of finding
// breaks, or "" if there is no single one.
func (k Kind) Link() string {
	if anchor := anchors()[k]; anchor != "" {
		return "https://www.w3.org/TR/WGSL/#" + anchor
	}
	return ""
}

//go:embed sections.txt
var sections string

// anchors holds the anchor of the section of each kind.
var anchors = sync.OnceValue(func() map[Kind]string {
	by := map[Kind]string{}
	for line := range strings.Lines(sections) {
		anchor, kinds, _ := strings.Cut(line, ": ")
		for _, kind := range strings.Fields(kinds) {
			by[Kind(kind)] = anchor
		}
	}
	return by
})
