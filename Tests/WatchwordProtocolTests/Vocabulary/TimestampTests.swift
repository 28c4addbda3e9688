import Glibc
import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@Suite struct TimestampTests {
  @Test(arguments: [
    (0.0, "1970-01-01T00:00:00Z"), (951_782_399, "2000-02-28T23:59:59Z"),
    (951_782_400, "2000-02-29T00:00:00Z"),
    (1_795_262_700, "2026-11-21T12:05:00Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
    (253_402_300_799, "9999-12-31T23:59:59Z"),
  ]) func secondsAndTextsStandForEachOther(_ seconds: Double, _ text: String) {
    #expect(Timestamp.text(seconds) == text)
    #expect(Timestamp.seconds(text) == seconds)
  }

  @Test func whatHasNoTextIsTheNearestThatHas() {
    #expect(Timestamp.text(0.999) == "1970-01-01T00:00:00Z")
    for seconds in [-1e300, -Double.infinity, .nan] {
      #expect(Timestamp.text(seconds) == "0000-01-01T00:00:00Z")
    }
    for seconds in [1e300, Double.infinity] { #expect(Timestamp.text(seconds) == "9999-12-31T23:59:59Z") }
  }

  @Test(arguments: [
    (-0.5, "1969-12-31T23:59:59Z"), (-1, "1969-12-31T23:59:59Z"), (-86_400, "1969-12-31T00:00:00Z"),
    (-86_401, "1969-12-30T23:59:59Z"), (-941_673_600, "1940-02-29T00:00:00Z"),
    (-62_162_035_201, "0000-02-29T23:59:59Z"), (-62_167_219_200, "0000-01-01T00:00:00Z"),
  ]) func timesBefore1970HaveATextToo(_ seconds: Double, _ text: String) {
    #expect(Timestamp.text(seconds) == text)
  }

  /// Against the C library's calendar.
  @Test func everyDayOfFourCenturiesIsRight() {
    for day in stride(from: 0, to: 146_097, by: 1) {
      var time = time_t(day * 86_400 + 43_205)
      var parts = tm()
      gmtime_r(&time, &parts)
      let text = Timestamp.text(Double(time))
      guard text.hasPrefix("\(parts.tm_year + 1900)-"), Timestamp.seconds(text) == Double(time),
        Int32(text.dropFirst(8).prefix(2)) == parts.tm_mday,
        Int32(text.dropFirst(5).prefix(2)) == parts.tm_mon + 1
      else {
        Issue.record("\(text) is not day \(day)")
        return
      }
    }
  }

  @Test(arguments: [
    "", "2026-11-21", "2026-11-21T12:05:00", "2026-11-21t12:05:00Z", "2026-11-21T12:05:00z",
    "2026-11-21 12:05:00Z", "2026-11-21T12:05:00.5Z", "2026-11-21T12:05:00+00:00", "26-11-21T12:05:00Z",
    "2026-13-21T12:05:00Z", "2026-00-21T12:05:00Z", "2026-11-00T12:05:00Z", "2026-11-31T12:05:00Z",
    "2026-02-29T12:05:00Z", "2100-02-29T00:00:00Z", "2026-02-30T00:00:00Z", "2026-11-21T24:00:00Z",
    "2026-11-21T12:60:00Z", "2026-11-21T12:05:61Z", "1969-12-31T23:59:59Z", "10000-01-01T0:00:00Z",
    "2026-1-2-xT12:05:00Z", "02026-1-21T12:05:00Z", "2026-11-21T12:05:+1Z", "2026-11--2T12:05:00Z",
    "2026-+1-21T12:05:00Z", "２026-11-21T12:05:0Z", "2026-11-21T12:05:00Z ", "2026:11:21T12-05-00Z",
  ]) func whatIsNoUTCTimeIsRefused(_ text: String) {
    #expect(Timestamp.seconds(text) == nil)
  }

  /// RFC 3339 §5.7; clocks that count seconds have none.
  @Test func aLeapSecondIsTheSecondAfterIt() {
    #expect(Timestamp.seconds("2016-12-31T23:59:60Z") == Timestamp.seconds("2017-01-01T00:00:00Z"))
  }
}
