section("matrix", () => {});
