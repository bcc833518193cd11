package webgpu

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
)

// A Requirement is one condition of the WebGPU specification.
type Requirement struct {
	ID      string
	Section Section
	Wrong   string // one sentence: what is wrong, with {facts} of the call
	Do      string // one sentence: what to do
}

// InMaking reports whether the line to change is the one that made the object, not the call.
func (r *Requirement) InMaking() bool { return strings.Contains(r.Do, "where you make it") }

// A Section is a part of the specification.
type Section struct{ Name, Anchor string }

// URL returns the section's address.
func (s Section) URL() string { return "https://www.w3.org/TR/webgpu/#" + s.Anchor }

// A Mistake is a call that breaks a rule.
type Mistake struct {
	Rule      *Requirement
	Wrong, Do string   // the rule's sentences with the facts of this call
	At        HostSite // of the call
	Made      HostSite // where the object was made that doesn't fit; unknown if the call itself is wrong
	Given     uint64   // the number that is wrong, and the one that would fit; 0 for rules without
	Needed    uint64
	Binding   *uint32       // that it is about; nil for other rules
	Shader    *ShaderModule // whose variable it is about; nil for other rules
	Elements  bool          // the number looks like one of elements, where bytes are counted
}

// Named says what to do with the name of the mistake's shader.
func (m *Mistake) Named(shader string) string { return strings.Replace(m.Do, theShader, shader, 1) }

// Error returns the place with its line, both sentences, and the place where the object was made.
func (m *Mistake) Error() string {
	var b strings.Builder
	if m.At.Known() {
		fmt.Fprintf(&b, "%s: ", m.At.Quoted())
	}
	b.WriteString(m.Wrong + " " + m.Do)
	if m.Made.Known() && m.Made.String() != m.At.String() {
		fmt.Fprintf(&b, " (Made at %s.)", m.Made.Quoted())
	}
	return b.String()
}

// facts are what a rule's sentences name: {name} and its value.
type facts map[string]any

var ruleByID = func() map[string]*Requirement {
	all := map[string]*Requirement{}
	for i := range Rules {
		all[Rules[i].ID] = &Rules[i]
	}
	return all
}()

// mistake returns the mistake of a rule. about is the object whose making is wrong, or nil.
func (d *Dialect) mistake(id string, at HostSite, about *HostObject, f facts) *Mistake {
	rule := ruleByID[id]
	if rule == nil {
		panic("webgpu: there is no rule " + id)
	}
	m := &Mistake{Rule: rule, Wrong: d.fill(rule.Wrong, f), Do: d.fill(rule.Do, f), At: at}
	if about != nil {
		m.Made = about.Made
	}
	if binding, ok := f["binding"].(uint32); ok {
		m.Binding = &binding
	}
	m.Shader, _ = f["shader"].(*ShaderModule)
	m.Given, _ = f["given"].(uint64)
	m.Needed, _ = f["needed"].(uint64)
	if countsBytes[id] && m.Given > 0 && (m.Given*wordBytes == m.Needed || m.Needed*wordBytes == m.Given) {
		m.Elements = true
		m.Do = fmt.Sprintf("Sizes are in bytes, and one of these numbers is a quarter of the other. Each element has %d: %s · %d = %s.", wordBytes, english.Thousands(int(min(m.Given, m.Needed))), wordBytes, english.Thousands(int(max(m.Given, m.Needed))))
	}
	return m
}

// countsBytes lists the rules whose numbers are bytes of buffers.
var countsBytes = map[string]bool{
	"map-range": true, "range-outside": true, "group-entry-range": true, "group-entry-size": true, "dispatch-binding-size": true,
	"copy-source-range": true, "copy-destination-range": true, "clear-range": true, "write-range": true,
}

// A spelled fact is a name in the specification's spelling.
type spelled string

// A Dialect spells WebGPU's names as a language does.
type Dialect struct {
	Spell func(name string) string // a name in the specification's spelling
	// Native gives the freedom of wgpu-native: a program may get several devices from one adapter.
	Native bool
}

// JavaScript has the specification's own spelling.
var JavaScript = &Dialect{Spell: func(name string) string { return name }}

// Go has the spelling of github.com/cogentcore/webgpu/wgpu.
var Go = &Dialect{Spell: spellGo, Native: true}

// spellGo turns createBuffer into CreateBuffer and GPUBufferUsage.COPY_DST into BufferUsageCopyDst.
func spellGo(name string) string {
	kind, flag, isFlag := strings.Cut(strings.TrimPrefix(name, "GPU"), ".")
	if !isFlag {
		return strings.ToUpper(kind[:1]) + kind[1:]
	}
	for word := range strings.SplitSeq(strings.ToLower(flag), "_") {
		kind += strings.ToUpper(word[:1]) + word[1:]
	}
	return kind
}

// fill replaces the facts of a sentence, and spells what is in backticks.
func (d *Dialect) fill(sentence string, f facts) string {
	var b strings.Builder
	for i, part := range strings.Split(sentence, "`") {
		if i%2 == 1 {
			b.WriteString("`" + d.Spell(part) + "`")
			continue
		}
		b.WriteString(part)
	}
	text := b.String()
	for name, value := range f {
		said := d.say(value)
		if said == "1" {
			text = strings.ReplaceAll(text, "{"+name+"} bytes", "1 byte")
		}
		text = strings.ReplaceAll(text, "{"+name+"}", said)
	}
	return english.Capital(text)
}

// say writes a fact: numbers with commas, usages by their names.
func (d *Dialect) say(value any) string {
	switch v := value.(type) {
	case spelled:
		return "`" + d.Spell(string(v)) + "`"
	case uint32:
		return english.Thousands(int(v))
	case uint64:
		switch {
		case v == math.MaxUint64:
			return "2^64 - 1"
		case v > math.MaxInt64:
			return strconv.FormatUint(v, 10)
		}
		return english.Thousands(int(v))
	case ShaderStage:
		return d.flags(v.names(), "none")
	case int:
		return english.Thousands(int(v))
	case gpu.BufferUsage:
		return d.flags(v.Names(), "no usage")
	}
	return fmt.Sprint(value)
}

// flags joins the names of flags as the dialect spells them; none stands for no flag.
func (d Dialect) flags(names []string, none string) string {
	if len(names) == 0 {
		return none
	}
	for i, name := range names {
		names[i] = "`" + d.Spell(name) + "`"
	}
	return strings.Join(names, " | ")
}
