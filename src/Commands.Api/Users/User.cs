using ApexShop.Events;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Users;

/// <summary>A customer. The password's hash stays in this row: no event carries it.</summary>
internal sealed class User
{
    private User()
    {
    }

    public int Id { get; private set; }

    public string Email { get; private set; } = "";

    public string FirstName { get; private set; } = "";

    public string LastName { get; private set; } = "";

    public string? PhoneNumber { get; private set; }

    public string PasswordHash { get; private set; } = "";

    public DateTimeOffset CreatedDate { get; private set; }

    public DateTimeOffset? LastLoginDate { get; private set; }

    public bool IsActive { get; private set; }

    public long Version { get; private set; }

    /// <param name="body">What it is.</param>
    /// <param name="now">When it is created.</param>
    /// <param name="id">Zero lets the context give it one.</param>
    public static User New(UserInput.Body body, DateTimeOffset now, int id = 0)
    {
        var user = new User { Id = id, CreatedDate = now };
        user.Take(body);
        return user;
    }

    public DomainEvent Created() => Changed(EventTypes.UserCreated);

    public DomainEvent Replace(UserInput.Body body)
    {
        var type = IsActive && !body.IsActive ? EventTypes.UserDeactivated : EventTypes.UserUpdated;
        Take(body);
        return Changed(type);
    }

    /// <summary>Part of a creation or replacement: no version and no event of its own.</summary>
    public void SetPasswordHash(string hash) => PasswordHash = hash;

    public DomainEvent Deleted() => new(EventTypes.UserDeleted, Resource.Users.Name, new DeletedState(Id, Version + 1));

    private DomainEvent Changed(string type)
    {
        Version++;
        return new DomainEvent(type, Resource.Users.Name, new UserState(
            Id, Email, FirstName, LastName, PhoneNumber, CreatedDate, LastLoginDate, IsActive, Version));
    }

    private void Take(UserInput.Body body)
    {
        (Email, FirstName, LastName) = (body.Email, body.FirstName, body.LastName);
        (PhoneNumber, IsActive) = (body.PhoneNumber, body.IsActive);
    }
}
