namespace ApexShop.Architecture.Tests;

public sealed class RepositoryShapeTests
{
    [Fact]
    public void There_are_sources()
    {
        Sources.Programs.Count.ShouldBeGreaterThan(50);
        Sources.Tests.Count.ShouldBeGreaterThan(20);
        Sources.Programs.Count(file => file.Name == "Program.cs").ShouldBe(3);
        Sources.All.SelectMany(file => file.Comments).ShouldNotBeEmpty();
    }

    [Fact]
    public void Files_slices_and_programs_are_short() => ShapeRules.Lengths(Sources.Programs).ShouldBeEmpty();

    [Fact]
    public void Lines_are_short() => ShapeRules.LongLines([.. Sources.All, .. Sources.Samples, .. Sources.Sql])
        .ShouldBeNone();

    [Fact]
    public void The_compiler_checks_the_types_that_comments_name()
    {
        var files = Sources.BuildFiles;
        files.ShouldContain(file => file.Text.Contains("<GenerateDocumentationFile>true", StringComparison.Ordinal));
        files.ShouldContain(file => file.Text.Contains("<TreatWarningsAsErrors>true", StringComparison.Ordinal));
        ShapeRules.UncheckedReferences(files).ShouldBeEmpty();
    }

    [Fact]
    public void Methods_are_short() => ShapeRules.MethodLengths(Sources.Programs).ShouldBeEmpty();

    [Fact]
    public void Comments_are_ASCII() => ShapeRules.NotAscii(Sources.All).ShouldBeEmpty();

    [Fact]
    public void There_are_no_banners_and_regions() => ShapeRules.Banners(Sources.All).ShouldBeEmpty();

    [Fact]
    public void No_code_is_commented_out() => ShapeRules.Code(Sources.All).ShouldBeEmpty();

    [Fact]
    public void There_is_no_unfinished_work() => ShapeRules.Unfinished(Sources.All).ShouldBeEmpty();

    [Theory]
    [InlineData("Commands.Api")]
    [InlineData("Projector")]
    [InlineData("Queries.Api")]
    public void Every_log_message_has_its_own_event_id(string program) =>
        ShapeRules.LogNumbers(Sources.Of(program).Concat(Sources.Of("Shared"))).ShouldBeEmpty();

    [Fact]
    public void An_event_id_of_two_log_messages_is_found() =>
        ShapeRules.LogNumbers([
                new SourceFile("A.cs", "[LoggerMessage(1, a)] [LoggerMessage(2, b)]"),
                new SourceFile("B.cs", "[LoggerMessage(2, c)]"),
            ])
            .ShouldBe(["2 is in A.cs and B.cs"]);

    [Fact]
    public void No_test_is_skipped() => ShapeRules.Skipped(Sources.Tests).ShouldBeEmpty();

    [Fact]
    public void Test_names_are_sentences() => ShapeRules.Names(Sources.Tests).ShouldBeEmpty();

    [Fact]
    public void A_long_line_is_found() =>
        ShapeRules.LongLines([new SourceFile("A.cs", $"\n{new string('a', 120)}\r\n{new string('a', 121)}\n")])
            .ShouldBe(["A.cs:3 has 121 characters, 120 are allowed"]);

    [Theory]
    [InlineData("<NoWarn>$(NoWarn);CS1574</NoWarn>", true)]
    [InlineData("dotnet_diagnostic.CS1580.severity = none", true)]
    [InlineData("<GenerateDocumentationFile>false</GenerateDocumentationFile>", true)]
    [InlineData("<NoWarn>$(NoWarn);CS1591</NoWarn>", false)]
    public void A_build_that_does_not_check_comments_is_found(string line, bool found) =>
        ShapeRules.UncheckedReferences([new SourceFile("A.props", line)])
            .ShouldBe(found ? ["A.props:1 turns the check of cref off"] : []);

    [Theory]
    [InlineData("Program.cs", ShapeRules.ProgramLimit)]
    [InlineData("Component.cs", ShapeRules.FileLimit)]
    public void A_long_file_is_found(string name, int limit)
    {
        ShapeRules.Lengths([new SourceFile(name, Lines(limit))]).ShouldBeEmpty();
        ShapeRules.Lengths([new SourceFile(name, Lines(limit + 1))])
            .ShouldBe([$"{name} has {limit + 1} lines, {limit} are allowed"]);
    }

    [Fact]
    public void A_long_slice_is_found()
    {
        const string slice = "static class Slice { static void Map() { } }\n";
        ShapeRules.Lengths([new SourceFile("Slice.cs", slice + Lines(ShapeRules.SliceLimit - 1))]).ShouldBeEmpty();
        ShapeRules.Lengths([new SourceFile("Slice.cs", slice + Lines(ShapeRules.SliceLimit))]).ShouldHaveSingleItem();
    }

    [Fact]
    public void A_long_method_is_found()
    {
        ShapeRules.MethodLengths([Method(ShapeRules.MethodLimit)]).ShouldBeEmpty();
        ShapeRules.MethodLengths([Method(ShapeRules.MethodLimit + 1)])
            .ShouldBe(["A.cs: Go has 31 lines, 30 are allowed"]);

        static SourceFile Method(int lines) =>
            new("A.cs", $"class A\n{{\n    void Go()\n    {{\n{Lines(lines)}    }}\n}}\n");
    }

    [Theory]
    [InlineData("class A; // caf\u00E9", true)]
    [InlineData("class A { string Text = \"caf\u00E9\"; } // coffee", false)]
    public void A_comment_that_is_not_ASCII_is_found(string text, bool found) =>
        ShapeRules.NotAscii([new SourceFile("A.cs", text)]).Any().ShouldBe(found);

    [Theory]
    [InlineData("// ----- Handlers -----", true)]
    [InlineData("//////////////", true)]
    [InlineData("/* ======== */", true)]
    [InlineData("#region Handlers\n#endregion", true)]
    [InlineData("// A sentence - with a dash.", false)]
    public void A_banner_is_found(string text, bool found) =>
        ShapeRules.Banners([new SourceFile("A.cs", text)]).Any().ShouldBe(found);

    [Theory]
    [InlineData("// var total = items.Sum(item => item.Price);", true)]
    [InlineData("// if (late) {", true)]
    [InlineData("//}", true)]
    [InlineData("// await SaveAsync(ct);", true)]
    [InlineData("// A crash between the two repeats the batch; that is harmless.", false)]
    [InlineData("// If no queue is bound, the position stays (and is tried again).", false)]
    [InlineData("class A { string Address = \"https://example.com;\"; }", false)]
    public void Commented_out_code_is_found(string text, bool found) =>
        ShapeRules.Code([new SourceFile("A.cs", text)]).Any().ShouldBe(found);

    [Theory]
    [InlineData("// {0}: retry", true)]
    [InlineData("class A { void Go() => throw new NotImplementedException(); }", true)]
    [InlineData("// Retried by the queue.", false)]
    public void Unfinished_work_is_found(string text, bool found) =>
        ShapeRules.Unfinished([new SourceFile("A.cs", text.Replace("{0}", "TO" + "DO", StringComparison.Ordinal))])
            .Any().ShouldBe(found);

    [Fact]
    public void A_skipped_test_and_a_test_without_a_sentence_are_found()
    {
        SourceFile[] file = [new("A.cs", "class A { [Fact(Skip = \"later\")] public void Works() { } }")];
        ShapeRules.Skipped(file).ShouldHaveSingleItem();
        ShapeRules.Names(file).ShouldBe(["A.cs: Works is not a sentence"]);
    }

    private static string Lines(int count) => string.Concat(Enumerable.Repeat("; \n", count));
}
