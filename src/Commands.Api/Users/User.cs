using ApexShop.Events;

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

    public static User New(UserInput.Body body, string passwordHash, DateTimeOffset now)
    {
        var user = new User { CreatedDate = now, PasswordHash = passwordHash };
        user.Take(body);
        return user;
    }

    public DomainEvent Created() => Changed(EventTypes.UserCreated);

    /// <summary>Without a new hash the password stays.</summary>
    public DomainEvent Replace(UserInput.Body body, string? passwordHash)
    {
        var type = IsActive && !body.IsActive ? EventTypes.UserDeactivated : EventTypes.UserUpdated;
        Take(body);
        PasswordHash = passwordHash ?? PasswordHash;
        return Changed(type);
    }

    public DomainEvent Deleted() => new(EventTypes.UserDeleted, Resources.Users, new DeletedState(Id, Version + 1));

    private DomainEvent Changed(string type)
    {
        Version++;
        return new DomainEvent(type, Resources.Users, new UserState(
            Id, Email, FirstName, LastName, PhoneNumber, CreatedDate, LastLoginDate, IsActive, Version));
    }

    private void Take(UserInput.Body body)
    {
        (Email, FirstName, LastName) = (body.Email, body.FirstName, body.LastName);
        (PhoneNumber, IsActive) = (body.PhoneNumber, body.IsActive);
    }
}
