package enum OpenRPCDocument { package static let text: StaticString = "{}" }
