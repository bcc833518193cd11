package host

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// A call shows its own line, but a mistake may be in another: in the entry of a bind group that is
// written over several lines, or where a number was computed that the call only passes on. What
// follows finds such lines in the program's text. Without one, the call's line stays.

// entryOf returns the line of an entry in the call that makes a bind group. If there is none, it is
// the line of the entry before it.
func entryOf(at webgpu.HostSite, binding uint32) webgpu.HostSite {
	lines, here := at.Lines()
	found, before := at, -1
	for i := max(here, 0); i < min(len(lines), endOfCall(lines, here)); i++ {
		m := bindingIs.FindStringSubmatch(lines[i])
		if m == nil {
			continue
		}
		n, _ := strconv.Atoi(m[1]) // digits
		if n <= int(binding) && n >= before {
			found, before = at.OnLine(i), n // the last of two with the same number
		}
	}
	return found
}

// bindingIs matches an entry's number.
var bindingIs = regexp.MustCompile(`(?i)\bbinding:\s*(\d+)\b`)

var (
	// dispatched matches a dispatch whose workgroups in x are a variable's.
	dispatched = regexp.MustCompile(`(?i)dispatchWorkgroups\(\s*(?:uint32\()?\s*([\pL_][\pL\pN_]*)\s*[,)]`)
	// subtracted matches a difference of two numbers of a slice, or what stands in its place.
	subtracted = regexp.MustCompile(`\w\[[^\]]*\]\s*[-+*/]\s*\w+\[`)
	// declared matches the beginning of a function.
	declared = regexp.MustCompile(`^(?:async\s+)?func`)
)

// releaseOf returns the line that releases an object. A deferred call has the line of the return:
// then it is the last defer of the object's variable before it.
func releaseOf(at webgpu.HostSite, variable string) webgpu.HostSite {
	lines, here := at.Lines()
	if variable == "" || here < 0 || here >= len(lines) || strings.Contains(lines[here], "Release()") {
		return at
	}
	return lastBefore(at, regexp.MustCompile(`\bdefer\s+`+regexp.QuoteMeta(variable)+`\.Release\(\)`))
}

// countOf returns the line that computes the workgroups of a dispatch.
func countOf(at webgpu.HostSite) webgpu.HostSite {
	name := named(at, dispatched, 1)
	if name == "" {
		return at
	}
	return declarationOf(at, name)
}

var (
	returned       = regexp.MustCompile(`\breturn\b`)
	returnedDevice = regexp.MustCompile(`\breturn\s+(?:await\s+)?(?:\w+\.[rR]equestDevice|device)\b`)
)

// returnWithout returns the line of the first return after a call in its function that returns no
// device; else the call's.
func returnWithout(at webgpu.HostSite) webgpu.HostSite {
	lines, here := at.Lines()
	for i := max(here, 0); i < len(lines) && !strings.HasPrefix(lines[i], "}"); i++ {
		if returned.MatchString(lines[i]) && !returnedDevice.MatchString(lines[i]) {
			return at.OnLine(i)
		}
	}
	return at
}

// converted matches a conversion around an argument.
var converted = regexp.MustCompile(`^(?:wgpu\.ToBytes|u?int\d*|new \w+Array|Number|BigInt)\((.+)\)$`)

// isName matches a variable.
var isName = regexp.MustCompile(`^[\pL_][\pL\pN_]*$`)

// refined returns the line of a call that a mistake is about: that of the argument, or the one that
// computes the numbers which the call sends.
func refined(at webgpu.HostSite, slug string, wrong int) webgpu.HostSite {
	at = argumentSite(at, slug)
	switch name := variableIn(textOf(at), slug); {
	case name != "" && sends[slug]:
		return numbersOf(at, name, wrong)
	case name != "" && slug == "result-length":
		return declarationOf(at, name)
	}
	return at
}

// isWord matches a name in an expression.
var isWord = regexp.MustCompile(`[\pL_][\pL\pN_]*`)

// declarationsIn returns the lines that give the variables of a wrong argument their values.
func declarationsIn(at webgpu.HostSite, slug string) (all []webgpu.HostSite) {
	at = argumentSite(at, slug)
	line := textOf(at)
	begin, end, found := argumentIn(line, slug)
	if !found || begin >= end {
		return nil
	}
	for _, name := range isWord.FindAllString(line[begin:end], -1) {
		if d := declarationOf(at, name); d != at {
			all = append(all, d)
		}
	}
	return all
}

// variableIn returns the variable that the argument is which a diagnosis is about, or "".
func variableIn(line, slug string) string {
	begin, end, found := argumentIn(line, slug)
	if !found || begin >= end {
		return ""
	}
	text := line[begin:end]
	for m := converted.FindStringSubmatch(text); m != nil; m = converted.FindStringSubmatch(text) {
		text = m[1]
	}
	if !isName.MatchString(text) {
		return ""
	}
	return text
}

// declarationOf returns the line that gives a variable its value before a call.
func declarationOf(at webgpu.HostSite, name string) webgpu.HostSite {
	return lastBefore(at, regexp.MustCompile(`(?:^|[\s,(])`+name+`\s*(?:,[\pL\pN_, ]*)?:?=[^=]`))
}

// numbersOf returns the line that computes the numbers which a call sends to a buffer: one that
// writes to the byte that is wrong, if that is known, else the last one that writes to them.
func numbersOf(at webgpu.HostSite, name string, wrong int) webgpu.HostSite {
	writes := regexp.MustCompile(`PutUint\d+\(` + name + `\[(\d*):|\b` + name + `\.set\w*\((\d+),|\b` + name + `\[(\d*)[^\]=]*\]\s*=[^=]|\b` + name + `\s*=\s*append\(`)
	lines, here := at.Lines()
	found := at
	for i := here - 1; i >= 0 && i < len(lines) && !declared.MatchString(lines[i]); i-- {
		m := writes.FindStringSubmatch(lines[i])
		if m == nil {
			continue
		}
		offset := -1
		for _, number := range m[1:] {
			if n, err := strconv.Atoi(number); err == nil {
				offset = n
			}
		}
		if found == at || offset == wrong && wrong >= 0 {
			found = at.OnLine(i)
		}
	}
	if found == at {
		return declarationOf(at, name)
	}
	return found
}

var (
	// wrongMember matches a sentence about a member of a uniform.
	wrongMember = regexp.MustCompile("reads `\\w+\\.(\\w+)`")
	// atByte matches one about where a member is.
	atByte = regexp.MustCompile("`(\\w+)` is at byte ([\\d,]+)")
)

// wrongByte returns where the wrong member of a uniform is, or -1.
func (d *explanation) wrongByte() int {
	member := wrongMember.FindStringSubmatch(d.Message)
	for _, m := range atByte.FindAllStringSubmatch(d.Try, -1) {
		if member != nil && m[1] == member[1] {
			n, _ := strconv.Atoi(strings.ReplaceAll(m[2], ",", "")) // digits
			return n
		}
	}
	return -1
}

// loopBefore returns the loop or condition that kept a pass from its dispatches: the last one in
// the pass's text, if that has a dispatch.
func loopBefore(end webgpu.HostSite) webgpu.HostSite {
	found := end
	dispatches := false
	lines, here := end.Lines()
	for i := here - 1; i >= 0 && i < len(lines) && !declared.MatchString(lines[i]); i-- {
		text := strings.TrimSpace(lines[i])
		switch {
		case strings.Contains(strings.ToLower(text), "begincomputepass("):
			if dispatches {
				return found
			}
			return end
		case strings.Contains(strings.ToLower(text), "dispatchworkgroups"):
			dispatches = true
		case strings.HasPrefix(text, "for ") || strings.HasPrefix(text, "if ") || strings.HasPrefix(text, "while "):
			found = end.OnLine(i)
		}
	}
	return end
}

// differenceOf returns the line after a mapping that subtracts two times.
func differenceOf(at webgpu.HostSite) webgpu.HostSite {
	outer := at.FromOutermost()
	lines, here := outer.Lines()
	for i := max(here, 0); i < len(lines) && (i == here || !declared.MatchString(lines[i])); i++ {
		if subtracted.MatchString(lines[i]) {
			return outer.OnLine(i)
		}
	}
	return at
}

// textOf returns a site's line.
func textOf(at webgpu.HostSite) string {
	lines, here := at.Lines()
	if here < 0 || here >= len(lines) {
		return ""
	}
	return lines[here]
}

// named returns the first match in a call's line, or in the few lines after it.
func named(at webgpu.HostSite, pattern *regexp.Regexp, most int) string {
	lines, here := at.Lines()
	for i := max(here, 0); i < min(len(lines), here+most); i++ {
		if m := pattern.FindStringSubmatch(lines[i]); m != nil {
			return m[1]
		}
	}
	return ""
}

// lastBefore returns the last line before a call, in its function, that matches.
func lastBefore(at webgpu.HostSite, pattern *regexp.Regexp) webgpu.HostSite {
	lines, here := at.Lines()
	for i := here - 1; i >= 0 && i < len(lines) && !declared.MatchString(lines[i]); i-- {
		if pattern.MatchString(lines[i]) {
			return at.OnLine(i)
		}
	}
	return at
}

// leaveOut is what to do about a line that exports the learner's function.
const leaveOut = "Leave that out: the check finds your function by its name."

var (
	// reserved matches a reserved word of JavaScript that is used as a name (ECMA-262 § Keywords
	// and Reserved Words, in strict mode). Words that are values, such as `this`, are not among them.
	reserved = regexp.MustCompile(`(?:[(,]\s*(?:\.\.\.)?|\b(?:const|let|var|function|class)\s+)` +
		`(await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|finally|for|function|if|implements|import|in|instanceof|interface|` +
		`let|new|package|private|protected|public|return|static|super|switch|throw|try|typeof|var|void|while|with|yield)\s*(?:[,)=;(]|$)`)
	// ofModules matches what only modules of JavaScript have.
	ofModules = regexp.MustCompile(`^\s*(export|import|exports|module|require)\b`)
	// unexpected matches the word that an engine of JavaScript did not expect.
	unexpected = regexp.MustCompile(`^Unexpected token '?(.+?)'?$`)
)

// unreadable says why JavaScript can't read a line, and what to do about it. Engines only say which
// word they did not expect.
func unreadable(line, message string) (said, do string) {
	said = unexpected.ReplaceAllString(message, "`$1` is not expected here")
	module := ofModules.FindStringSubmatch(line)
	name := reserved.FindStringSubmatch(line)
	switch {
	case module != nil && module[1] == "import":
		return "only a module can `import`, and your program isn't one", "Leave that out: `navigator.gpu` is there without it."
	case module != nil && module[1] == "export":
		return "only a module can `export`, and your program isn't one", leaveOut
	case name != nil:
		return "`" + name[1] + "` is a reserved word, so nothing can have it as its name", "Choose another name."
	case strings.Contains(line, "await ") && !strings.HasPrefix(message, "Unexpected token"):
		return "`await` is only allowed in an `async` function", "Write `async` in front of the function around it."
	case strings.Contains(line, ":="):
		return "`:=` is Go", "Write `const` or `let` in front of the name, and `=` after it."
	case strings.HasPrefix(line, "func "):
		return "`func` is Go", "Write `function`."
	}
	return said, ""
}
