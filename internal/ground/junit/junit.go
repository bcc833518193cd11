// Package junit writes reports of tests in the form that Ant's junitreport introduced, and that
// Jenkins, GitLab, GitHub's actions and others read.
package junit

import (
	"encoding/xml"
	"io"
)

// Outcomes is the report of one run.
type Outcomes struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	counts
	Suites []Suite `xml:"testsuite"`
}

// A Suite holds tests that belong together.
type Suite struct {
	Name string `xml:"name,attr"`
	counts
	Properties []Property `xml:"properties>property"`
	Cases      []TestCase `xml:"testcase"`
}

type counts struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Skipped  int `xml:"skipped,attr"`
}

// A Property is a fact about a suite.
type Property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// A TestCase is one test. It passed if it has no failure, no error, and wasn't skipped.
type TestCase struct {
	Name    string  `xml:"name,attr"`
	Class   string  `xml:"classname,attr"`
	Time    string  `xml:"time,attr"` // seconds
	Failure *Detail `xml:"failure"`
	Error   *Detail `xml:"error"`
	Skipped *Detail `xml:"skipped"`
}

// A Detail says why a test failed or was skipped.
type Detail struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// Add adds a suite.
func (r *Outcomes) Add(s Suite) {
	r.add(s.counts)
	r.Suites = append(r.Suites, s)
}

// Add adds a test.
func (s *Suite) Add(c TestCase) {
	counted := counts{Tests: 1}
	switch {
	case c.Failure != nil:
		counted.Failures = 1
	case c.Error != nil:
		counted.Errors = 1
	case c.Skipped != nil:
		counted.Skipped = 1
	}
	s.add(counted)
	s.Cases = append(s.Cases, c)
}

func (c *counts) add(other counts) {
	c.Tests += other.Tests
	c.Failures += other.Failures
	c.Errors += other.Errors
	c.Skipped += other.Skipped
}

// Write writes the report.
func (r *Outcomes) Write(w io.Writer) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(r); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
