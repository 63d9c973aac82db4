section("gap", () => {});
