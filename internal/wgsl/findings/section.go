package findings

import (
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

// sections lists the anchor of each section with the kinds of findings that break its rules.
var sections = map[string]string{
	"address-space":                     "bad-space",
	"alias-analysis":                    "aliased-pointers",
	"align-attr":                        "bad-align",
	"array-types":                       "array-brackets array-length bad-index two-indices unsized-value",
	"atomic-types":                      "atomic-access",
	"binding-attr":                      "binding-conflict missing-binding",
	"blend-src-attr":                    "bad-blend",
	"break-statement":                   "misplaced-break misplaced-break-if",
	"builtin-attr":                      "builtin-stage builtin-type duplicate-builtin unknown-builtin",
	"const-assert-statement":            "assertion-failed",
	"continue-statement":                "misplaced-continue",
	"continuing-statement":              "after-continuing misplaced-continuing",
	"diagnostics":                       "conflicting-diagnostic filter-conflict unknown-rule unknown-severity",
	"enable-extensions-sec":             "extension-not-enabled f16-not-enabled unknown-extension unsupported-extension",
	"for-statement":                     "comma-in-for for-in for-without-parens",
	"function-declaration-sec":          "bad-parameter bad-result function-in-function missing-arrow missing-fn missing-result recursion",
	"id-attr":                           "duplicate-id",
	"identifiers":                       "double-underscore keyword-as-name reserved-word underscore",
	"if-statement":                      "else-if else-without-if",
	"interpolate-attr":                  "integer-interpolation unknown-interpolation",
	"language-extensions-sec":           "feature-missing unknown-feature unsupported-feature",
	"let-decls":                         "let-mut let-outside",
	"limits":                            "limit-exceeded too-large",
	"location-attr":                     "compute-location duplicate-location missing-io",
	"loop-statement":                    "do-while endless-loop loop-endless",
	"memory-access-mode":                "access-mode read-only",
	"must-use-attr":                     "unused-result",
	"operator-precedence-associativity": "mixed-operators",
	"ref-ptr-types":                     "address-needed no-address no-pointer pointer-argument",
	"return-statement":                  "misplaced-return missing-return unexpected-result",
	"size-attr":                         "bad-size",
	"struct-types":                      "empty-struct unknown-member",
	"switch-statement":                  "case-without-braces duplicate-case duplicate-default empty-switch misplaced-case missing-case missing-default",
	"uniformity":                        "non-uniform-control-flow non-uniform-value",
	"var-decls":                         "declaring-assignment type-before-name",
	"vector-types":                      "bad-swizzle",
	"workgroup-size-attr":               "missing-workgroup-size workgroup-size",
}

var anchors = sync.OnceValue(func() map[Kind]string {
	by := map[Kind]string{}
	for anchor, kinds := range sections {
		for _, kind := range strings.Fields(kinds) {
			by[Kind(kind)] = anchor
		}
	}
	return by
})
