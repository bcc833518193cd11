package conformance

// What the front end has reached, as shares of all cases. A change may better these and never worsen them.
const (
	agreementCore   = 0.945
	falseAlarmsCore = 0.055
	agreementAll    = 0.9998
	falseAlarmsAll  = 0.0001
)
