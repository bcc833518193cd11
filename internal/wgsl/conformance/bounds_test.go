package conformance

// What the front end has reached, as shares of all cases. A change may better these and never worsen them.
const (
	agreementCore   = 0
	falseAlarmsCore = 1
	agreementAll    = 0
	falseAlarmsAll  = 1
)
