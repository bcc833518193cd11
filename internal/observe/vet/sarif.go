package vet

import (
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/wgsl/analysis"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// SARIF, the Static Analysis Results Interchange Format 2.1.0 (OASIS), as far as GitHub's code
// scanning and editors read it. Sections (§) refer to the standard,
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html.
const (
	sarifVersion = "2.1.0"
	sarifSchema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	home         = "https://github.com/wgslab/wgslab"
)

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool       sarifTool     `json:"tool"`
	ColumnKind string        `json:"columnKind"`       // § 3.14.17
	Newlines   []string      `json:"newlineSequences"` // § 3.14.18
	Results    []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name  string      `json:"name"`
	Home  string      `json:"informationUri"`
	Rules []sarifRule `json:"rules"`
}

// A sarifRule describes one code; GitHub requires all three texts.
type sarifRule struct {
	ID    findings.Kind `json:"id"`
	Short sarifMessage  `json:"shortDescription"`
	Full  sarifMessage  `json:"fullDescription"`
	Help  sarifMessage  `json:"help"`
}

type sarifMessage struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID    findings.Kind   `json:"ruleId"`
	RuleIndex int             `json:"ruleIndex"`
	Level     string          `json:"level"`
	Message   sarifMessage    `json:"message"`
	Locations []sarifLocation `json:"locations"`
	Related   []sarifLocation `json:"relatedLocations,omitempty"`
	Fixes     []sarifFix      `json:"fixes,omitempty"`
}

type sarifLocation struct {
	ID       int           `json:"id,omitempty"`
	Physical sarifPhysical `json:"physicalLocation"`
	Message  *sarifMessage `json:"message,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   sarifRegion   `json:"region"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

// A sarifRegion has an exclusive end (§ 3.30.8); an empty one is a place to insert at.
type sarifRegion struct {
	Line      int `json:"startLine"`
	Column    int `json:"startColumn"`
	EndLine   int `json:"endLine"`
	EndColumn int `json:"endColumn"`
}

type sarifFix struct {
	Description sarifMessage  `json:"description"`
	Changes     []sarifChange `json:"artifactChanges"`
}

type sarifChange struct {
	Artifact     sarifArtifact      `json:"artifactLocation"`
	Replacements []sarifReplacement `json:"replacements"`
}

type sarifReplacement struct {
	Deleted  sarifRegion  `json:"deletedRegion"`
	Inserted sarifMessage `json:"insertedContent"`
}

// SARIF writes the findings as a SARIF 2.1.0 log of one run. Columns are in characters, and the log
// says so.
func SARIF(w io.Writer, files []*Report) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Newlines: []string{"\r\n", "\n", "\r"}, Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "wgslab", Home: home, Rules: []sarifRule{}}
	index := map[findings.Kind]int{}
	for _, f := range files {
		for _, found := range f.Findings {
			if _, known := index[found.Kind]; !known {
				index[found.Kind] = len(run.Tool.Driver.Rules)
				run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, f.sarifRule(found))
			}
			result := f.sarif(found)
			result.RuleIndex = index[found.Kind]
			run.Results = append(run.Results, result)
		}
	}
	return encode(w, sarifLog{Schema: sarifSchema, Version: sarifVersion, Runs: []sarifRun{run}})
}

// sarifRule describes a code. Only the rules for legal code have descriptions apart from their
// findings.
func (f *Report) sarifRule(found *findings.Finding) sarifRule {
	if r := analysis.RuleOf(found.Kind); r != nil {
		return sarifRule{r.Kind, sarifMessage{english.Capital(r.Title)}, sarifMessage{r.Doc}, sarifMessage{r.Doc}}
	}
	full, help := "WGSL's rules forbid this; each result says what is wrong at its place.", "Each result says what to try, where there is something to try."
	switch {
	case found.Kind == findings.Unreadable:
		full, help = "The file could not be read, so nothing is known of the shader in it.", "Each result says why. Mend the file, or leave it out."
	case found.Kind == findings.TargetLacks:
		full, help = "The shader needs what an implementation of WGSL lacks; each result names it.", "Do without it, or leave the implementation out of the targets."
	case f.Tested:
		full, help = "A test of the shader fails in this way; each result names the test.", "wgslab test shows the values, and where they are from."
	}
	short := english.Capital(strings.ReplaceAll(string(found.Kind), "-", " "))
	return sarifRule{found.Kind, sarifMessage{short}, sarifMessage{full}, sarifMessage{help}}
}

func (f *Report) sarif(found *findings.Finding) sarifResult {
	text := found.Message
	if found.Hint != "" {
		text += " " + found.Hint
	}
	if in := f.ofVariants(found); in != "" {
		text += " This is " + in + "."
	}
	result := sarifResult{
		RuleID: found.Kind, Level: sarifLevel(found.Severity), Message: sarifMessage{text},
		Locations: []sarifLocation{{Physical: f.physical(found.Region)}},
	}
	for i, r := range found.Related {
		result.Related = append(result.Related, sarifLocation{i + 1, f.physical(r.Region), &sarifMessage{r.Message}})
	}
	for _, fix := range found.Fixes {
		change := sarifChange{Artifact: sarifArtifact{uri(f.file(found.Region))}}
		for _, e := range fix.Edits {
			change.Replacements = append(change.Replacements, sarifReplacement{regionOf(e.Region), sarifMessage{e.New}})
		}
		result.Fixes = append(result.Fixes, sarifFix{sarifMessage{fix.Title}, []sarifChange{change}})
	}
	return result
}

// sarifLevel returns SARIF's name for a severity (§ 3.27.10).
func sarifLevel(s findings.Severity) string {
	if s == findings.Info {
		return "note"
	}
	return s.String()
}

func (f *Report) physical(r findings.Region) sarifPhysical {
	return sarifPhysical{sarifArtifact{uri(f.file(r))}, regionOf(r)}
}

func regionOf(r findings.Region) sarifRegion {
	return sarifRegion{r.Line, r.Column, r.EndLine, r.EndColumn}
}

// uri returns a file's name as a URI. A relative name stays relative, so that it fits the scanned
// repository.
func uri(file string) string {
	name := url.URL{Path: filepath.ToSlash(file)}
	if filepath.IsAbs(file) {
		name.Scheme = "file"
	}
	return name.String()
}
