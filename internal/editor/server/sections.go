package server

import "github.com/wgslab/wgslab/internal/wgsl/findings"

func sectionOf(findings.Kind) string { return "" }
