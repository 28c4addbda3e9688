// swift-tools-version: 6.1
import PackageDescription

/// Warnings are errors in our own targets; dependencies are built as they are.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .unsafeFlags(["-warnings-as-errors"]),
  // The debug build, which the tests run, checks both.
  .unsafeFlags(
    ["-enforce-exclusivity=unchecked", "-disable-dynamic-actor-isolation"], .when(configuration: .release)),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
let strictC: [CSetting] = [.unsafeFlags(["-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter"])]

func library(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// Whether `Tests/run` builds for a sanitizer.
let isForSanitizers = Context.environment["WATCHWORD_FOR_SANITIZERS"] != nil

/// A sanitizer replaces malloc. What mimalloc would still give, as its strdup, has no heap then, and crashes with
/// mimalloc 3.
let allocator: [LinkerSetting] = isForSanitizers ? [] : [.linkedLibrary("mimalloc")]

/// The command is started once per fetch: without a shared library to load it is up in a third of the time.
let startFast: [LinkerSetting] = [
  .unsafeFlags(["-static-executable"], .when(configuration: .release))
]

/// The command's code runs once per fetch, if at all: small is fast.
let small: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]

let package = Package(
  name: "watchword",
  products: [
    .executable(name: "watchwordd", targets: ["watchwordd"]),
    .executable(name: "watchword", targets: ["watchword"]),
    .executable(name: "watchword-pkcs11", targets: ["watchword-pkcs11"]),
    .executable(name: "watchword-secret-service", targets: ["watchword-secret-service"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2")
  ],
  targets: [
    .target(
      name: "CTransport", dependencies: ["CTokenWire"], exclude: ["README.md"], cSettings: strictC,
      linkerSettings: ["curl", "ssl", "crypto", "psl", "z", "brotlidec", "zstd"].map { .linkedLibrary($0) }),
    .target(
      name: "CCrypto", cSettings: strictC,
      linkerSettings: [.linkedLibrary("crypto"), .linkedLibrary("unistring")]),
    .target(name: "CDocument", cSettings: strictC + [.unsafeFlags(["-std=c23"])]),
    .target(name: "CJSON", cSettings: strictC, linkerSettings: [.linkedLibrary("jansson")]),
    .target(name: "CLinux", cSettings: strictC),
    // It links no library: what it calls is loaded when it is first needed.
    .target(
      name: "CLoaded", dependencies: ["CCrypto"],
      cSettings: strictC + [.define("_GNU_SOURCE"), .unsafeFlags(["-isystem", "/usr/include/libxml2"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CP11Kit", pkgConfig: "p11-kit-1", providers: [.apt(["libp11-kit-dev"])]),
    .systemLibrary(name: "CLibsecret", pkgConfig: "libsecret-1", providers: [.apt(["libsecret-1-dev"])]),
    .target(name: "CTokenWire", cSettings: strictC),

    library("WatchwordVocabulary", []),
    library("WatchwordJSON", ["CJSON", "WatchwordVocabulary"]),
    library("WatchwordCore", ["CCrypto", "WatchwordVocabulary"]),
    library("WatchwordMessages", ["WatchwordJSON", "WatchwordVocabulary"]),
    library(
      "WatchwordProtocol",
      ["CDocument", "WatchwordCore", "WatchwordJSON", "WatchwordMessages", "WatchwordVocabulary"]),
    library("WatchwordReactor", ["CLinux", "WatchwordVocabulary"]),
    library(
      "WatchwordTransport",
      [
        "CLinux", "CLoaded", "CTokenWire", "CTransport", "WatchwordCore", "WatchwordReactor",
        "WatchwordVocabulary",
      ]),
    library("WatchwordVault", ["CCrypto", "CSQLite", "WatchwordCore", "WatchwordJSON", "WatchwordVocabulary"]),
    library(
      "WatchwordServer",
      [
        "CLinux", "CLoaded", "WatchwordCore", "WatchwordJSON", "WatchwordMessages", "WatchwordOptions",
        "WatchwordProtocol", "WatchwordReactor", "WatchwordTransport", "WatchwordVault", "WatchwordVocabulary",
        .product(name: "Logging", package: "swift-log"),
      ]),
    library("WatchwordOptions", ["CLinux", "WatchwordVocabulary"]),
    library("WatchwordDiagnosis", []),
    .executableTarget(
      name: "watchwordd",
      dependencies: [
        "CLinux", "WatchwordOptions", "WatchwordReactor", "WatchwordServer", "WatchwordVocabulary",
        .product(name: "Logging", package: "swift-log"),
      ], exclude: ["systemd"], swiftSettings: strict, linkerSettings: allocator),
    .executableTarget(
      name: "watchword",
      dependencies: [
        "CLinux", "WatchwordDiagnosis", "WatchwordJSON", "WatchwordMessages", "WatchwordOptions",
        "WatchwordVocabulary",
      ],
      exclude: ["README.md"], swiftSettings: strict + small, linkerSettings: startFast),
    .executableTarget(
      name: "watchword-pkcs11", dependencies: ["CTokenWire", "CP11Kit"],
      cSettings: strictC + [.define("_GNU_SOURCE"), .define("CRYPTOKI_COMPAT")],
      linkerSettings: [.linkedLibrary("p11-kit")]),
    .executableTarget(
      name: "watchword-secret-service", dependencies: ["CLibsecret"],
      cSettings: strictC + [.define("_GNU_SOURCE")]),

    // What several test targets need.
    .target(
      name: "WatchwordTestSupport",
      dependencies: ["WatchwordJSON", "WatchwordReactor", "WatchwordVocabulary"],
      path: "Tests/WatchwordTestSupport", swiftSettings: strict),
    .testTarget(name: "WatchwordVocabularyTests", dependencies: ["WatchwordVocabulary"], swiftSettings: strict),
    .testTarget(name: "WatchwordOptionsTests", dependencies: ["WatchwordOptions"], swiftSettings: strict),
    .testTarget(
      name: "WatchwordJSONTests", dependencies: ["WatchwordJSON", "WatchwordTestSupport", "WatchwordVocabulary"],
      swiftSettings: strict),
    .testTarget(name: "WatchwordDiagnosisTests", dependencies: ["WatchwordDiagnosis"], swiftSettings: strict),
    .testTarget(
      name: "WatchwordReactorTests",
      dependencies: ["CLinux", "WatchwordReactor", "WatchwordTestSupport", "WatchwordVocabulary"],
      swiftSettings: strict),
    .testTarget(
      name: "WatchwordServerTests",
      dependencies: [
        "CLinux", "CLoaded", "WatchwordCore", "WatchwordJSON", "WatchwordMessages", "WatchwordOptions",
        "WatchwordProtocol", "WatchwordReactor", "WatchwordServer", "WatchwordTestSupport", "WatchwordTransport",
        "WatchwordVault", "WatchwordVocabulary",
      ], swiftSettings: strict),
    .testTarget(
      name: "WatchwordVaultTests",
      dependencies: ["WatchwordCore", "WatchwordVault", "WatchwordVocabulary"], swiftSettings: strict),
    .testTarget(
      name: "WatchwordTransportTests",
      dependencies: [
        "CTransport", "WatchwordCore", "WatchwordJSON", "WatchwordReactor", "WatchwordTestSupport",
        "WatchwordTransport", "WatchwordVocabulary",
      ], swiftSettings: strict),
  ]
)

// Most of what the tests have to compile, and values that no two threads share: the sanitizers can do without.
if !isForSanitizers {
  package.targets += [
    .testTarget(
      name: "WatchwordCoreTests",
      dependencies: [
        "WatchwordCore", "WatchwordJSON", "WatchwordTestSupport", "WatchwordVocabulary",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "WatchwordProtocolTests",
      dependencies: [
        "WatchwordCore", "WatchwordJSON", "WatchwordMessages", "WatchwordProtocol", "WatchwordTestSupport",
        "WatchwordVocabulary",
      ], swiftSettings: strict),
  ]
}

// Tests/Fuzz/run builds the libraries once more, instrumented, and links them with libFuzzer itself.
if Context.environment["WATCHWORD_FUZZ"] != nil {
  package.products = [.library(name: "WatchwordFuzz", type: .static, targets: ["WatchwordFuzz"])]
  package.targets.append(
    .target(
      name: "WatchwordFuzz",
      dependencies: [
        "CLoaded", "CTransport", "WatchwordCore", "WatchwordJSON", "WatchwordMessages", "WatchwordProtocol",
        "WatchwordReactor", "WatchwordServer", "WatchwordTransport", "WatchwordVault", "WatchwordVocabulary",
      ],
      path: "Tests/Fuzz/Targets", swiftSettings: strict))
}
