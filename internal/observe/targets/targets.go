// Package targets knows which implementations have which features and limits of WGSL, and reports
// what a shader needs and its targets lack. The facts are in targets.txt, each with its source.
package targets

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

//go:embed targets.txt
var table string

// names are the implementations in as people write them.
var names = map[string]string{"chrome": "Chrome", "safari": "Safari", "firefox": "Firefox", "wgpu": "wgpu", "core": "core WGSL"}

// order lists the implementations as reports do.
var order = []string{"chrome", "safari", "firefox", "wgpu", "core"}

// core is the implementation without any optional feature.
const core = "core"

// A version is 26.2: the numbers before and after the dot.
type version struct{ major, minor int }

func (v version) compare(w version) int {
	return cmp.Or(cmp.Compare(v.major, w.major), cmp.Compare(v.minor, w.minor))
}

func (v version) String() string {
	if v.minor == 0 {
		return strconv.Itoa(v.major)
	}
	return fmt.Sprintf("%d.%d", v.major, v.minor)
}

// A fact is one line of the table.
type fact struct {
	implementation  string
	perhaps, surely version // equal if the source says which version was the first
	what            string
	native          string // the API's feature, where a shader has this one without naming it
	limit           uint64
	date, source    string
}

// since says when the implementation got the feature: "147 or 148".
func (f *fact) since() string {
	if f.implementation == core {
		return "ever"
	}
	if f.perhaps == f.surely {
		return f.surely.String()
	}
	return f.perhaps.String() + " or " + f.surely.String()
}

// facts reads the table once.
var facts = sync.OnceValue(func() (all []*fact) {
	for line := range strings.Lines(table) {
		if columns := strings.Fields(line); len(columns) > 4 && columns[0] != "#" {
			all = append(all, parseFact(columns))
		}
	}
	return all
})

func parseFact(columns []string) *fact {
	f := &fact{implementation: columns[0], date: columns[3], source: strings.Join(columns[4:], " ")}
	first, last, two := strings.Cut(columns[1], "-")
	if !two {
		last = first
	}
	f.perhaps, _ = parseVersion(first)
	f.surely, _ = parseVersion(last)
	what, limit, _ := strings.Cut(columns[2], "=")
	f.what, f.native, _ = strings.Cut(what, "/")
	f.limit, _ = strconv.ParseUint(limit, 10, 64)
	return f
}

func parseVersion(text string) (v version, ok bool) {
	major, minor, dotted := strings.Cut(text, ".")
	var wrong, wrongToo error
	v.major, wrong = strconv.Atoi(major)
	if dotted {
		v.minor, wrongToo = strconv.Atoi(minor)
	}
	return v, wrong == nil && wrongToo == nil && v.major >= 0 && v.minor >= 0
}

// find returns what the table says about an implementation, or nil.
func find(implementation, what string) *fact {
	at := slices.IndexFunc(facts(), func(f *fact) bool { return f.implementation == implementation && f.what == what })
	if at < 0 {
		return nil
	}
	return facts()[at]
}

// A Release is a version of an implementation: what a shader may be for.
type Release struct {
	implementation string
	version        version
}

// String returns the target as people write it: Safari 26.
func (t Release) String() string {
	if t.implementation == core {
		return names[core]
	}
	return names[t.implementation] + " " + t.version.String()
}

// newest returns the last version of an implementation that the table knows.
func newest(implementation string) Release {
	return Release{implementation, find(implementation, "known").surely}
}

// Parse reads a list of targets: chrome-150,safari-26. A name without a version is the newest one
// that the table knows.
func Parse(list string) (all []Release, err error) {
	for word := range strings.SplitSeq(list, ",") {
		word = strings.ToLower(strings.TrimSpace(word))
		if word == "" {
			continue
		}
		t, err := parse(word)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	if len(all) == 0 {
		return nil, errors.New("there is no target in the list; write one like chrome-150,safari-26")
	}
	return all, nil
}

func parse(word string) (Release, error) {
	name, number, _ := strings.Cut(strings.ReplaceAll(word, " ", "-"), "-")
	if !slices.Contains(order, name) {
		return Release{}, fmt.Errorf("there is no target %q; write one of %s, with a version like chrome-150", word, english.List(order))
	}
	t := newest(name)
	if number == "" || name == core {
		return t, nil
	}
	var ok bool
	if t.version, ok = parseVersion(number); !ok {
		return Release{}, fmt.Errorf("%q isn't a version of %s; write one like %s-%s", number, names[name], name, newest(name).version)
	}
	return t, nil
}

// An answer says whether a target has a feature.
type answer uint8

const (
	lacks   answer = iota
	unclear        // the sources name two versions, and the target is the earlier one
	has
)

func (t Release) has(f types.Feature) answer {
	known := find(t.implementation, f.String())
	switch {
	case known == nil || t.version.compare(known.perhaps) < 0:
		return lacks
	case t.version.compare(known.surely) < 0:
		return unclear
	}
	return has
}

// native returns the API's feature that gives a target this one, if its shaders must not name it.
func (t Release) native(f types.Feature) string {
	known := find(t.implementation, f.String())
	if known == nil || t.version.compare(known.perhaps) < 0 {
		return ""
	}
	return known.native
}

// Implied returns the extensions that all targets have without `enable`.
func Implied(targets []Release) (implied types.Features) {
	for f := types.Feature(1); f&types.AllExtensions != 0; f <<= 1 {
		if len(targets) > 0 && !slices.ContainsFunc(targets, func(t Release) bool { return t.native(f) == "" }) {
			implied |= f
		}
	}
	return implied
}

// List writes the table for people, with the sources.
func List(w io.Writer) error {
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, implementation := range order {
		head := names[implementation]
		if implementation != core {
			head += ", known up to " + newest(implementation).version.String()
		}
		fmt.Fprintln(columns, english.Capital(head))
		for _, f := range facts() {
			if f.implementation != implementation || f.what == "known" {
				continue
			}
			what := f.what
			if f.native != "" {
				what += ", unnamed, with Features::" + f.native
			}
			if f.limit > 0 {
				what += " at most " + strconv.FormatUint(f.limit, 10)
			}
			fmt.Fprintf(columns, "  %s\tsince %s\t%s\t%s\n", what, f.since(), f.date, f.source)
		}
	}
	return columns.Flush()
}
