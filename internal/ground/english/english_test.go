package english_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/ground/english"
)

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 rows", 1: "1 row", 999: "999 rows", 1000: "1,000 rows", 1234567: "1,234,567 rows", -100: "-100 rows", -1000: "-1,000 rows"} {
		require.Equal(t, want, english.Count(n, "row", "rows"))
	}
}

func TestList(t *testing.T) {
	require.Equal(t, "", english.List(nil))
	require.Equal(t, "a", english.List([]string{"a"}))
	require.Equal(t, "a and b", english.List([]string{"a", "b"}))
	require.Equal(t, "a, b and c", english.List([]string{"a", "b", "c"}))
}

func TestSentence(t *testing.T) {
	for message, want := range map[string]string{
		"": "", "a": "A.", "no file": "No file.", "why?": "Why?", "`a` is 1": "`a` is 1.", "über": "Über.",
		"relu.wgsl is empty": "relu.wgsl is empty.", "work/a is a folder": "work/a is a folder.",
	} {
		require.Equal(t, want, english.Sentence(message))
	}
}
