using System.Text;
using ApexShop.Events;
using ApexShop.Projector.Tests.Harness;
using ApexShop.ReadModels;
using ApexShop.Resources;

namespace ApexShop.Projector.Tests.Projecting;

public sealed class EventParkingTests(ReadStore store) : ProjectorTest(store)
{
    [Fact]
    public async Task An_event_without_readable_data_parks_its_aggregate_and_nothing_else()
    {
        await Projector.ApplyAsync(
            History.Product(10, "Pen"),
            History.Add(Resource.Products.Name, EventTypes.ProductUpdated, 10, "{\"id\":10}"u8.ToArray(), 2),
            History.Product(11, "Ink"),
            History.Product(10, "Quill"));

        (await ViewAsync<ProductView>("products", 10)).Name.ShouldBe("Pen");
        (await ViewAsync<ProductView>("products", 11)).Name.ShouldBe("Ink");
        (await ParkedAsync()).ShouldBe("2,4");
    }

    [Fact]
    public async Task Events_before_an_unreadable_one_are_applied_also_when_another_is_refused()
    {
        await Projector.ApplyAsync(
            History.Product(10, "Pen"),
            History.Add(Resource.Products.Name, EventTypes.ProductUpdated, 10, "[]"u8.ToArray(), 2),
            History.Product(11, "Nul \0 character"));

        (await ViewAsync<ProductView>("products", 10)).Name.ShouldBe("Pen");
        (await ParkedAsync()).ShouldBe("2,3");
    }

    [Fact]
    public async Task An_event_between_a_refused_and_an_unreadable_one_is_parked_too()
    {
        // The last event has them applied one by one.
        await Projector.ApplyAsync(
            History.Product(10, "Nul \0 character"),
            History.Product(10, "Pen"),
            History.Add(Resource.Products.Name, EventTypes.ProductUpdated, 10, "[]"u8.ToArray(), 3),
            History.Product(11, "Nul \0 character"));

        (await ParkedAsync()).ShouldBe("1,2,3,4");
    }

    [Theory]
    [InlineData("Nul \0 character", 1)]
    [InlineData("Too dear", 1e20)]
    public async Task An_event_that_the_database_refuses_parks_its_aggregate_and_nothing_else(string name, double price)
    {
        await Projector.ApplyAsync(History.Category(1, "Books"));
        await Projector.ApplyAsync(
            History.Product(10, "Pen"), History.Product(10, name, price: (decimal)price), History.Product(11, "Ink"));
        await Projector.ApplyAsync(History.Product(10, "Quill"));

        (await ViewAsync<ProductView>("products", 10)).Name.ShouldBe("Pen");
        (await ViewAsync<ProductView>("products", 11)).Name.ShouldBe("Ink");
        (await ViewAsync<CategoryView>("categories", 1)).ProductCount.ShouldBe(2);
        (await ParkedAsync()).ShouldBe("3,5");
    }

    [Fact]
    public async Task In_one_message_an_event_behind_a_refused_one_is_parked_with_its_aggregate()
    {
        // Together only the last state of each aggregate is written: the last of product 12 is refused, and so they
        // are applied one by one.
        await Projector.ApplyAsync(
            History.Product(10, "Pen"),
            History.Product(10, "Nul \0 character"),
            History.Product(10, "Quill"),
            History.Product(11, "Ink"),
            History.Product(12, "Nul \0 character"),
            History.Product(11, "Cap"));

        (await ViewAsync<ProductView>("products", 10)).Name.ShouldBe("Pen");
        (await ViewAsync<ProductView>("products", 11)).Name.ShouldBe("Cap");
        (await Store.BodyAsync("products", 12)).ShouldBeNull();
        (await ParkedAsync()).ShouldBe("2,3,5");
        (await Store.ScalarAsync<string>("SELECT reason FROM read.parked_events WHERE position = 3"))
            .ShouldBe("An earlier event of the same aggregate is parked.");
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(5)]
    [InlineData(20)]
    public async Task An_event_that_the_database_refuses_is_parked_whatever_was_prepared_before(int messages)
    {
        for (var i = 0; i < messages; i++) await Projector.ApplyAsync(History.Product(10 + (i % 2), $"Pen {i}"));
        await Projector.ApplyAsync(
            History.Product(12, "Ink"), History.Product(13, "Nul \0 character"), History.Product(14, "Nib"));
        for (var i = 0; i < 3; i++) await Projector.ApplyAsync(History.Product(15, $"Quill {i}"));

        (await ViewAsync<ProductView>("products", 14)).Name.ShouldBe("Nib");
        (await ViewAsync<ProductView>("products", 15)).Name.ShouldBe("Quill 2");
        (await ParkedAsync()).ShouldBe($"{messages + 2}");
    }

    [Fact]
    public async Task A_later_message_of_a_parked_aggregate_is_parked_too_as_it_came()
    {
        await Projector.ApplyAsync(
            History.Add(Resource.Products.Name, EventTypes.ProductUpdated, 10, "[]"u8.ToArray(), 1));
        await Projector.ApplyAsync(History.Product(10, "Pen"), History.Product(11, "Ink"));

        (await Store.BodyAsync("products", 10)).ShouldBeNull();
        (await Store.BodyAsync("products", 11)).ShouldNotBeNull();
        (await ParkedAsync()).ShouldBe("1,2");
        var parked = CloudEvents.Read(
            await Store.ScalarAsync<byte[]>("SELECT event FROM read.parked_events WHERE position = 2"));
        Encoding.UTF8.GetString(parked.Data.Span).ShouldBe(Encoding.UTF8.GetString(History.Entries[1].Data.Span));
    }

    [Fact]
    public async Task An_event_whose_data_is_of_another_aggregate_is_parked()
    {
        await Projector.ApplyAsync(
            History.Add(
                Resource.Products.Name, EventTypes.ProductDeleted, 10, "{\"id\":11,\"version\":2}"u8.ToArray(), 2));

        (await ParkedAsync()).ShouldBe("1");
    }

    [Fact]
    public async Task The_erasure_of_a_user_replaces_what_is_parked_of_the_user()
    {
        await Projector.ApplyAsync(
            History.Add(Resource.Users.Name, EventTypes.UserCreated, 7, "{\"id\":7}"u8.ToArray(), 1),
            History.Add(Resource.Users.Name, EventTypes.UserCreated, 8, "{\"id\":8}"u8.ToArray(), 1));
        await Projector.ApplyAsync(
            History.Add(Resource.Users.Name, EventTypes.UserUpdated, Customer("Nul \0 character", 2)),
            History.Add(Resource.Users.Name, EventTypes.UserErased, Customer("Erased", 3)));
        await Projector.ApplyAsync(History.Add(Resource.Users.Name, EventTypes.UserUpdated, Customer("Ada", 4)));

        (await ViewAsync<UserView>("users", 7)).FirstName.ShouldBe("Ada");
        (await ParkedAsync()).ShouldBe("2");

        UserState Customer(string name, long version) =>
            new(7, "7@example.com", name, "Customer", null, History.Entries[0].Time, null, false, version);
    }

    [Fact]
    public async Task Events_after_an_erasure_stay_parked_when_events_are_applied_one_by_one()
    {
        await Projector.ApplyAsync(
            History.Add(Resource.Users.Name, EventTypes.UserErased, User(7, "Erased", 1)),
            History.Add(Resource.Users.Name, EventTypes.UserUpdated, 7, "{\"id\":7}"u8.ToArray(), 2),
            History.Add(Resource.Users.Name, EventTypes.UserUpdated, User(7, "Later", 3)),
            History.Add(Resource.Users.Name, EventTypes.UserCreated, User(8, "Nul \0 character", 1)));

        (await ViewAsync<UserView>("users", 7)).FirstName.ShouldBe("Erased");
        (await ParkedAsync()).ShouldBe("2,3,4");

        static UserState User(int id, string name, long version) =>
            new(id, $"{id}@example.com", name, "Customer", null, DateTimeOffset.UnixEpoch, null, false, version);
    }

    private Task<string> ParkedAsync() =>
        Store.ScalarAsync<string>("SELECT string_agg(position::text, ',' ORDER BY position) FROM read.parked_events");
}
