section("conventions", () => {});
