package internal_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	markdown "github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// noBreak joins the words of a code span.
const noBreak = "\u00a0"

// A reader holds about this many words of a sentence in mind.
const mostWords = 25

// A calque is a phrase that a native speaker reads twice, correct or not.
type calque struct {
	phrase  *regexp.Regexp
	instead string // what to write
}

func avoid(phrase, instead string) calque {
	return calque{regexp.MustCompile(`(?i)` + phrase), instead}
}

// The comment above each calque says it in English.
var calques = []calque{
	// There is no …; … is available.
	avoid(`\bto be had\b`, "there is no …, or … is available"),
	// Your index doesn't use the row.
	avoid(`\b(?:tak(?:e|es|ing)|took) (?:no )?part in\b`, "uses, or isn't used"),
	// The number belongs in your guard.
	avoid(`\bbelongs? into\b`, "belongs in"),
	// Its readers wait their turn.
	avoid(`\b(?:stands?|stood|standing) in line\b`, "wait their turn"),
	// The area to cover, not what is to be covered.
	avoid(`\b(?:is|are) (?:not )?to be [a-z]+(?:d|n|t)\b`, "a noun: the area to cover"),
	// Only declarations go at the top level.
	avoid(`\b(?:stands?|stood) (?:at|below|above|beside|there|in|on)\b`, "is, or goes"),
	// Say what happens: "while no other invocation writes it".
	avoid(`\b(?:nobody|no one|somebody|whoever)\b`, "what happens, or the one who acts"),
	// The picture's edge.
	avoid(`\brims?\b`, "edge"),
	// A relu is an activation function.
	avoid(`\bbends?\b`, "activation function"),
	// The transformer.
	avoid(`\bnetworks? that attends?\b`, "transformer"),
	// Your matmul from lesson 3.
	avoid(`\bof lessons? [0-9]`, "from lesson 3, or lesson 3's"),
	// It works offline.
	avoid(`\bwithout (?:a|the) network\b`, "offline"),
	// A driver for the CPU; CPU time.
	avoid(`\bprocessors?\b`, "CPU"),
	// Even so, the check found the bug.
	avoid(`\ball the same\b`, "even so, still"),
	// The minimum number of lines.
	avoid(`\bas (?:few|little|small|many|much) as can be\b`, "the fewest, minimal"),
	// Adapters handle it differently.
	avoid(`\baffairs?\b`, "is up to, handles … differently"),
	// Wrong usage.
	avoid(`\basked wrongly\b`, "wrong usage"),
	// Once the cell has run.
	avoid(`\bas soon as\b[^.]*\b(?:has|have)\b`, "once"),
	// How large must it be?
	avoid(`\bfrom where on\b`, "where … starts"),
	// An error around 1e-06 is fine.
	avoid(`\b(?:is|are) no mistakes?\b`, "isn't a mistake"),
	// What must a candidate carry?
	avoid(`\bbrings? along\b`, "carry, take with you"),
	// After the barrier.
	avoid(`\bbehind (?:a|the) barrier\b`, "after"),
	// What it says about a shader.
	avoid(`\b(?:told|said|says|hears?|heard) of\b`, "about"),
	// That many rectangles.
	avoid(`\b(?:with|of) so many\b`, "that many"),
	// 64-bit floats, 128-byte lines.
	avoid(`\b(?:floats|numbers|lines|words) of [0-9]+ (?:bits|bytes)\b`, "64-bit floats"),
	// A tiled product is 10-90× slower.
	avoid(`\b[0-9]+ to [0-9]+ times as long\b`, "10-90× slower"),
}

// Documents are read once, so sentences are short and in the field's own words.
func TestProseOfDocuments(t *testing.T) {
	total, long := 0, 0
	for _, d := range proseDocuments(t) {
		for _, s := range d.sentences() {
			if n := s.words(); !s.inTable {
				total++
				if n > mostWords {
					long++
					t.Errorf("%s:%d: %d words, at most %d:\n\t%s", d.path, s.line, n, mostWords, s.text)
				}
			}
			for _, instead := range s.calques() {
				t.Errorf("%s:%d: write %s:\n\t%s", d.path, s.line, instead, s.text)
			}
		}
	}
	t.Logf("%d of %d sentences have over %d words", long, total, mostWords)
	require.Greater(t, total, 1000, "the documents have more: this test no longer finds them")
}

func TestProseIsCountedBySentence(t *testing.T) {
	d := document{path: "x.md", text: "# A heading\n" +
		"One `code of. four words` is\n" +
		"a word. naga's [two words](https://a.b/c) begin here (§ 8.5)!\n\n" +
		"```sh\nno sentence. at all\n```\n" +
		"| a | b |\n|---|---|\n| nobody here | c |\n\n" +
		"- **First.** Second, whose {{if .A}}template{{end}} isn't read: 1 ÷ 2\n"}
	var got []string
	for _, s := range d.sentences() {
		got = append(got, fmt.Sprintf("%d %d %t", s.line, s.words(), s.inTable))
	}
	require.Equal(t, []string{
		"1 2 false", "2 5 false", "3 6 false", "8 1 true", "8 1 true", "10 2 true", "10 1 true",
		"12 1 false", "12 7 false",
	}, got)
}

// Each calque is found, and what is right isn't.
func TestCalquesInProseAreFound(t *testing.T) {
	for text, want := range map[string]int{
		"It takes no part in the index.":        1,
		"Nobody writes it.":                     1,
		"your `matmul` of lesson 3":             1,
		"It says what is to be covered.":        1,
		"It uses floats of 64 bits.":            1,
		"your `matmul` from lesson 3":           0,
		"an adapter behind a proxy":             0,
		"`nobody` is a name":                    0,
		"a multiprocessor, and a preprocessor":  0,
		"It is one of two that the table names": 0,
	} {
		require.Len(t, sentence{text: text}.calques(), want, text)
	}
}

// proseDocuments are the documents outside notebooks, whose texts are for learners.
func proseDocuments(t *testing.T) []document {
	t.Helper()
	return slices.DeleteFunc(documents(t), func(d document) bool {
		return strings.HasPrefix(d.path, "notebooks/")
	})
}

// A sentence is one of a paragraph, an item, a heading or a table's cell.
type sentence struct {
	text    string // spaces in code are no-break spaces
	line    int
	inTable bool
}

var hasLetter = regexp.MustCompile(`[\pL\pN]`)

func (s sentence) words() (n int) {
	for _, word := range strings.Split(s.text, " ") {
		if hasLetter.MatchString(word) {
			n++
		}
	}
	return n
}

// calques returns what to write instead of each calque in the sentence.
func (s sentence) calques() (instead []string) {
	prose := inBackticks.ReplaceAllString(s.text, "`x`")
	for _, c := range calques {
		if c.phrase.MatchString(prose) {
			instead = append(instead, c.instead)
		}
	}
	return instead
}

var (
	templateAction = regexp.MustCompile(`\{\{[^}]*\}\}`)
	sentenceEnd    = regexp.MustCompile(`[.?!]["'”’)]*(?: |$)`)
)

// blocks are the kinds of nodes that hold sentences, beside the cells of tables.
var blocks = []ast.NodeKind{ast.KindParagraph, ast.KindTextBlock, ast.KindHeading}

func (d document) sentences() (all []sentence) {
	source := templateAction.ReplaceAll([]byte(d.text), []byte("…"))
	parser := markdown.New(markdown.WithExtensions(extension.Table)).Parser()
	root := parser.Parse(text.NewReader(source))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		inTable := n.Kind() == tables.KindTableCell
		if !entering || !inTable && !slices.Contains(blocks, n.Kind()) {
			return ast.WalkContinue, nil
		}
		p := prose{source: source}
		p.add(n)
		for _, s := range p.split() {
			s.inTable = inTable
			all = append(all, s)
		}
		return ast.WalkSkipChildren, nil
	})
	return all
}

// prose is the text of a block, without its marks, and the line of each byte.
type prose struct {
	source []byte
	text   string
	lines  []int
	line   int
}

func (p *prose) add(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			p.line = 1 + bytes.Count(p.source[:c.Segment.Start], []byte("\n"))
			p.write(string(c.Segment.Value(p.source)))
			if c.SoftLineBreak() || c.HardLineBreak() {
				p.write(" ")
			}
		case *ast.CodeSpan:
			begin := len(p.text)
			p.add(c)
			code := strings.ReplaceAll(p.text[begin:], " ", noBreak)
			p.text, p.lines = p.text[:begin], p.lines[:begin]
			p.write("`" + code + "`")
		case *ast.AutoLink:
			p.write("URL")
		default:
			p.add(c)
		}
	}
}

func (p *prose) write(s string) {
	p.text += s
	for range len(s) {
		p.lines = append(p.lines, p.line)
	}
}

func (p *prose) split() (all []sentence) {
	begin := 0
	for _, end := range append(sentenceEnd.FindAllStringIndex(p.text, -1), []int{0, len(p.text)}) {
		part := p.text[begin:end[1]]
		if hasLetter.MatchString(part) {
			first := begin + strings.Index(part, strings.TrimSpace(part))
			all = append(all, sentence{text: strings.TrimSpace(part), line: p.lines[first]})
		}
		begin = end[1]
	}
	return all
}
