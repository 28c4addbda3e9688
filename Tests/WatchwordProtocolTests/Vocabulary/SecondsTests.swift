import Testing
import WatchwordJSON
import WatchwordMessages
import WatchwordProtocol
import WatchwordTestSupport

@Suite struct SecondsTests {
  @Test(
    arguments: [
      (0.0, "0"), (-1, "0"), (.nan, "0"), (1, "1"), (0.5, "0.5"), (0.000001, "0.000001"), (1.0000004, "1"),
      (0.1 + 0.2, "0.3"), (12.000_01, "12.00001"), (604_800.25, "604800.25"), (1e300, "1000000000000"),
      (.infinity, "1000000000000"),
    ] as [(Double, String)]) func secondsHaveMicroseconds(_ seconds: Double, _ text: String)
  {
    #expect(
      written { writer in
        writer.beginObject()
        writer.seconds("s", seconds)
        writer.seconds("t", seconds)
        writer.endObject()
      } == #"{"s":\#(text),"t":\#(text)}"#)
  }
}
